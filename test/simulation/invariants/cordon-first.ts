import { recordAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from './invariant.ts';
import { judging } from './sight/judging.ts';
import { sendsPodsAway } from './sight/seen-effect.ts';
import { nodeRead, witnessOf } from './sight/witness.ts';

/** Somebody who uncordons the Node in the middle of its drain is noticed within this time. */
const grace = 6_000;

export const cordonFirst: Invariant = {
  name: 'a Node is cordoned before the first of its Pods is evicted',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      sendsPodsAway,
      ({ actor, plan }) => {
        if (plan?.node === undefined) return undefined;
        const { host, node } = plan;
        const isCordoned = witness.wasSoLately(
          actor,
          [nodeRead(plan)],
          (view) => recordAt(view.get(host, 'nodes', undefined, node), 'spec')['unschedulable'] === true,
          grace,
        );
        return isCordoned ? undefined : `Node ${node} is not cordoned`;
      },
      violated,
    );
  },
};
