import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { nameOf } from '../story/news.ts';
import type { Invariant } from './invariant.ts';
import { stillLeft } from './sight/drain-court.ts';
import { judgingEvictions } from './sight/judging.ts';
import { type Court, mustGo, podsOn, verdictOn } from './sight/pods.ts';
import { witnessOf } from './sight/witness.ts';

export const lowerOrdersFirst: Invariant = {
  name: 'no Pod of a higher order is evicted while one of a lower order is on the Node',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judgingEvictions(
      witness,
      ({ pod, ...about }) => {
        const before = stillLeft(witness, about, (court) => lowerThan(pod, court, about.plan.node ?? ''));
        return before.length === 0 ? undefined : `these have to go before it: ${before.join(', ')}`;
      },
      violated,
    );
  },
};

/** With their orders; those that are waited for are of order 0. The Pod itself is judged as it was then. */
function lowerThan(pod: KubeObject, court: Court, nodeName: string): string[] {
  const { namespace, name, uid } = pod.metadata;
  const own = verdictOn(court.view.get(court.host, 'pods', namespace, name) ?? pod, court);
  return podsOn(court.view, court.host, nodeName).flatMap((other) => {
    if (other.metadata.uid === uid || !mustGo(other, court)) return [];
    const verdict = verdictOn(other, court);
    const order = verdict === 'waited for' ? 0 : verdict;
    const isLower = typeof order === 'number' && typeof own === 'number' && order < own;
    return isLower ? [`${nameOf(other)} (${order} before ${own})`] : [];
  });
}
