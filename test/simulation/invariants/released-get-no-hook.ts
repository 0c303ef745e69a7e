import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import { deletedForMove, putsOurHookOn, releasedBy } from '../scenario/beside.ts';
import type { Invariant } from './invariant.ts';
import { effectOf } from './sight/effect.ts';
import { witnessOf } from './sight/witness.ts';

/** Otherwise the user would have to release it again and again. */
export const releasedGetNoHook: Invariant = {
  name: 'our hook comes on no Machine that a person has released, that is moved, or that another API rules or will rule',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    let wrong: string | undefined;
    return {
      before(exchange) {
        wrong = undefined;
        if (!putsOurHookOn(exchange.body)) return;
        const effect = effectOf(exchange, witness);
        const { annotations = {} } = effect?.object?.metadata ?? {};
        const isElsewhere = effect?.object !== undefined && isRuledElsewhere(effect.object);
        if (releasedBy in annotations || deletedForMove in annotations || isElsewhere) wrong = effect?.label;
      },
      after(_exchange, { code }) {
        if (wrong !== undefined && code < 300) violated(wrong);
        wrong = undefined;
      },
    };
  },
};

/** OpenShift's Machines may move between two APIs: who has authority keeps the hooks. */
const isRuledElsewhere = (machine: KubeObject): boolean =>
  ['spec', 'status'].some((part) => {
    const authority = textAt(machine, part, 'authoritativeAPI') ?? '';
    return authority !== '' && authority !== 'MachineAPI';
  });
