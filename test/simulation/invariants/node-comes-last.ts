import { textAt } from '../../../shared/dialects/fields.ts';
import { isClusterApi } from '../../stories/stage/apis.ts';
import type { Invariant } from './invariant.ts';
import { type Stand, standOf } from './sight/checkpoint.ts';
import { judging } from './sight/effect.ts';
import { bootstrapRef, machineIn } from './sight/machine.ts';
import { machineRead, nodeRead, witnessOf } from './sight/witness.ts';

export const nodeComesLast: Invariant = {
  name: "a Node is deleted only after the infrastructure is gone, and only the Machine's own",
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      ['delete Node'],
      ({ plan, machine, actor, object: node }) => {
        if (plan === undefined || machine === undefined || node === undefined) return undefined;
        const hasBootstrap = isClusterApi(machine) && textAt(bootstrapRef(machine), 'name') !== undefined;
        const wanted = ['infrastructure', ...(hasBootstrap ? ['bootstrap'] : [])];
        let stand: Stand | undefined;
        const isTime = witness.wasSoLately(actor, [machineRead(plan)], (view) => {
          const seen = machineIn(view, plan);
          stand = seen && standOf(seen);
          return (
            seen === undefined ||
            (stand?.phase === 'node' && wanted.every((phase) => stand?.passed.has(phase)))
          );
        });
        if (!isTime) return `its Machine stands at ${standOf(machine)?.phase ?? 'nothing'}`;
        if (stand?.node !== undefined && stand.node !== node.metadata.uid)
          return `the Machine had another Node of this name, ${stand.node}`;
        const [own, other] = [textAt(machine, 'spec', 'providerID'), textAt(node, 'spec', 'providerID')];
        const isForeign = own !== undefined && other !== undefined && own !== other;
        const wasOwn = witness.wasSoLately(
          actor,
          [nodeRead(plan)],
          (view) =>
            textAt(view.get(plan.host, 'nodes', undefined, plan.node ?? ''), 'spec', 'providerID') === own,
        );
        return isForeign && stand?.node === undefined && !wasOwn
          ? `it has the providerID ${other}`
          : undefined;
      },
      violated,
    );
  },
};
