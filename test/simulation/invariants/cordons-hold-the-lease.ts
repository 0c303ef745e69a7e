import { textAt } from '../../../shared/dialects/fields.ts';
import { isOpenShift } from '../../stories/stage/apis.ts';
import { isControlPlane, isCordoned } from '../../stories/stage/sights.ts';
import type { Invariant } from './invariant.ts';
import { judging } from './sight/judging.ts';
import { witnessOf } from './sight/witness.ts';

/** An instance that stands still over it for so long may have lost it, and cannot know. */
const usableMilliseconds = 20_000;

/** Two that look at the same time each see no other cordoned Node: only the Lease keeps them apart. */
export const cordonsHoldTheLease: Invariant = {
  name: 'whoever cordons a control plane Node of OpenShift holds the Lease for it',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      ['cordon'],
      ({ machine, object: node, exchange, actor }) => {
        if (machine === undefined || node === undefined || !isOpenShift(machine)) return undefined;
        if (!isControlPlane(node) || isCordoned(node)) return undefined;
        if (witness.reads.stoodStillInStep(actor) >= usableMilliseconds) return undefined;
        // Whose clock is ahead takes it for one that has expired: clocks have to agree within half a minute.
        if (witness.reads.haveClocksJumped()) return undefined;
        const holders = world
          .cluster(exchange.host)
          .list('leases.coordination.k8s.io')
          .map((lease) => textAt(lease, 'spec', 'holderIdentity') ?? '');
        const isHeld = holders.some((holder) => holder.startsWith(`${actor.instance}/`));
        return isHeld ? undefined : `the Lease is held by ${holders.join(', ') || 'nobody'}`;
      },
      violated,
    );
  },
};
