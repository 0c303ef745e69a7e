import type { KubeObject } from '../../../infra/local/kubernetes/cluster.ts';
import type { Invariant } from './invariant.ts';
import { judging } from './sight/effect.ts';
import { stillLeft } from './sight/drain-court.ts';
import { type Court, mustGo, podsOn, verdictOn } from './sight/pods.ts';
import { witnessOf } from './sight/witness.ts';

export const lowerOrdersFirst: Invariant = {
  name: 'no Pod of a higher order is evicted while one of a lower order is on the Node',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      ['evict'],
      ({ actor, plan, machine, object: pod }) => {
        if (plan === undefined || machine === undefined || pod === undefined) return undefined;
        const before = stillLeft(witness, { actor, plan, machine }, (court) =>
          lowerThan(pod, court, plan.node ?? '').map(({ metadata }) => metadata.name),
        );
        return before.length === 0 ? undefined : `before it these have to go: ${before.join(', ')}`;
      },
      violated,
    );
  },
};

/** Pods that are waited for are of order 0; the Pod itself is judged as it was then. */
function lowerThan(pod: KubeObject, court: Court, nodeName: string): KubeObject[] {
  const { namespace, name, uid } = pod.metadata;
  const own = verdictOn(court.view.get(court.host, 'pods', namespace, name) ?? pod, court);
  return podsOn(court.view, court.host, nodeName).filter((other) => {
    if (other.metadata.uid === uid || !mustGo(other, court)) return false;
    const verdict = verdictOn(other, court);
    const order = verdict === 'waited for' ? 0 : verdict;
    return typeof order === 'number' && typeof own === 'number' && order < own;
  });
}
