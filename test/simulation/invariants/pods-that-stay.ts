import type { Invariant } from './invariant.ts';
import { wasSoOfPods } from './sight/drain-court.ts';
import { judgingEvictions } from './sight/judging.ts';
import { verdictOn } from './sight/pods.ts';
import { witnessOf } from './sight/witness.ts';

export const podsThatStay: Invariant = {
  name: 'mirror, DaemonSet, skipped and waited-for Pods are never evicted',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judgingEvictions(
      witness,
      ({ pod, ...about }) => {
        const { namespace, name, uid } = pod.metadata;
        const isToGo = wasSoOfPods(witness, about, (court) => {
          const seen = court.view.get(court.host, 'pods', namespace, name);
          return (
            seen?.metadata.uid === uid && seen !== undefined && typeof verdictOn(seen, court) === 'number'
          );
        });
        return isToGo ? undefined : 'this Pod is none to be evicted';
      },
      violated,
    );
  },
};
