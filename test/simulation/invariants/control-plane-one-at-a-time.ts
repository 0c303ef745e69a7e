import { recordAt } from '../../../shared/dialects/fields.ts';
import { isOpenShift } from '../../stories/stage/apis.ts';
import { isControlPlane, isCordoned } from '../../stories/stage/sights.ts';
import type { Invariant } from './invariant.ts';
import { judging } from './sight/judging.ts';
import { witnessOf } from './sight/witness.ts';

/** After this time a Lease is anybody's, whatever its holder is about to do. */
const leaseMilliseconds = 60_000;

export const controlPlaneOneAtATime: Invariant = {
  name: 'control plane Nodes of OpenShift are cordoned one at a time',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const cordonedByUs = new Set<string>();
    const judge = judging(
      witness,
      ['cordon'],
      ({ plan, machine, object: node, exchange, actor }) => {
        if (machine === undefined || plan === undefined || node === undefined || !isOpenShift(machine))
          return undefined;
        if (!isControlPlane(node) || isCordoned(node)) return undefined;
        // An instance that was frozen for longer than its Lease lasts may lose it to another one, and cannot know.
        if (witness.reads.stoodStillInStep(actor) >= leaseMilliseconds / 2) return undefined;
        // Another instance's clock that is ahead may take a Lease for expired. Its holder need not stand still for
        // long.
        if (witness.reads.haveClocksJumped()) return undefined;
        const other = world
          .cluster(exchange.host)
          .list('nodes')
          .find(
            (each) =>
              each.metadata.uid !== node.metadata.uid &&
              isControlPlane(each) &&
              isCordoned(each) &&
              cordonedByUs.has(each.metadata.uid ?? ''),
          );
        return other === undefined ? undefined : `Node ${other.metadata.name} is cordoned`;
      },
      violated,
    );
    return {
      ...judge,
      after(exchange, answer) {
        judge.after?.(exchange, answer);
        if (exchange.resource !== 'nodes' || exchange.verb !== 'patch' || answer.code >= 300) return;
        const uid = recordAt(exchange.body, 'metadata')['uid'];
        if (typeof uid === 'string') cordonedByUs.add(uid);
      },
    };
  },
};
