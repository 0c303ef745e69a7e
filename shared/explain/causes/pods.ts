import { holderOf, holderText, isTerminatingForLong, overdueBy } from '../../drain/leaving.ts';
import { type Pod, podName } from '../../kubernetes/objects.ts';
import { listOf } from '../../text/truncate.ts';
import type { Cause } from '../explanation.ts';
import { lasting } from '../lasting.ts';
import { keeperOf } from '../owner.ts';
import type { Seen } from '../seen.ts';

const shownPods = 3;

/** Pods that are on their way, or that have to complete: the slowest first. */
export function podCauses(seen: Seen): Cause[] {
  const { plan } = seen;
  const left = plan.pods.filter(({ hasCompleted }) => hasCompleted !== true);
  const awaited = new Map(left.map((pod) => [`${pod.namespace}/${pod.name}`, pod.behavior]));
  const mustGo = seen.pods.filter((pod) => (awaited.get(podName(pod)) ?? 'Skip') !== 'Skip');
  const leaving = mustGo
    .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
    .toSorted((one, other) => endOf(one) - endOf(other));
  const completing = mustGo.filter(
    (pod) => awaited.get(podName(pod)) === 'WaitCompleted' && pod.metadata.deletionTimestamp === undefined,
  );
  const { returning = [] } = plan;
  return [
    ...leaving.slice(0, shownPods).map((pod) => leavingCause(seen, pod)),
    ...more(leaving),
    ...(completing.length === 0 ? [] : [completingCause(completing)]),
    ...returningCause(returning.filter(({ pinnedBy }) => pinnedBy === undefined).map(({ pod }) => pod)),
    ...[...Map.groupBy(returning, ({ pinnedBy }) => pinnedBy)].flatMap(([maker, pods]) =>
      maker === undefined
        ? []
        : [
            pinnedCause(
              maker,
              pods.map(({ pod }) => pod),
            ),
          ],
    ),
  ];
}

const endOf = ({ metadata }: Pod): number => Date.parse(metadata.deletionTimestamp ?? '');

const objectOf = ({ metadata: { namespace, name } }: Pod): NonNullable<Cause['object']> => ({
  side: 'workload',
  resource: 'pods',
  kind: 'Pod',
  ...(namespace !== undefined && { namespace }),
  name,
});

function leavingCause({ now, plan }: Seen, pod: Pod): Cause {
  const { deletionTimestamp, deletionGracePeriodSeconds: grace = 0, finalizers = [] } = pod.metadata;
  const overdue = overdueBy(pod, now);
  const owner = keeperOf(pod);
  const isOverdue = isTerminatingForLong(pod, now);
  return {
    kind: 'pod',
    ...(isOverdue && { code: 'Terminating' }),
    phase: 'drain',
    what: `Pod ${podName(pod)} stops${isOverdue ? `, and should be gone since ${lasting(overdue)}` : ''}`,
    object: objectOf(pod),
    ...(owner !== undefined && { owner }),
    numbers: { graceSeconds: grace, overdueSeconds: Math.max(0, Math.round(overdue / 1_000)) },
    details: [
      `its time to stop ${overdue > 0 ? 'was over' : 'is over'} at ${deletionTimestamp} (grace period ${grace} s)`,
      ...(finalizers.length === 0 ? [] : [`its finalizers: ${finalizers.join(', ')}`]),
    ],
    ...leavingEnds(pod, { isOverdue, unreachable: plan.unreachable }),
  };
}

function leavingEnds(
  pod: Pod,
  { isOverdue, unreachable }: { isOverdue: boolean; unreachable: Seen['plan']['unreachable'] },
): Pick<Cause, 'endsByItself' | 'why'> {
  if (unreachable !== undefined) {
    const { node, since } = unreachable;
    const silent = since === undefined ? '' : `, silent since ${since},`;
    return {
      endsByItself: 'unknown',
      why: `Node ${node} is unreachable: its kubelet${silent} cannot say that it has stopped`,
    };
  }
  if (!isOverdue) return { endsByItself: 'yes', why: 'it goes when its containers have stopped' };
  return { endsByItself: 'unknown', why: heldText(pod) };
}

function heldText(pod: Pod): string {
  const holder = holderOf(pod);
  const text = holderText(holder);
  switch (holder.by) {
    case 'finalizers':
      return `it waits for ${text}: the controller of each has to take it off`;
    case 'containers':
      return `its kubelet should have ended ${text}`;
    case 'volumes':
      return `its containers have stopped, and its kubelet has to unmount ${text}`;
    default:
      return 'its kubelet should have removed it: look at the containers and the Node';
  }
}

const more = (leaving: readonly Pod[]): Cause[] =>
  leaving.length <= shownPods
    ? []
    : [
        {
          kind: 'pod',
          phase: 'drain',
          what: `${leaving.length - shownPods} more Pods stop`,
          details: [listOf(leaving.slice(shownPods).map(podName), 5)],
          endsByItself: 'yes',
          why: 'they go when their containers have stopped',
        },
      ];

function completingCause(pods: readonly Pod[]): Cause {
  const [first] = pods;
  const owner = first && keeperOf(first);
  return {
    kind: 'pod',
    code: 'WaitCompleted',
    phase: 'drain',
    what: `${pods.length === 1 ? 'Pod' : 'Pods'} ${listOf(pods.map(podName), shownPods)} must complete before the Node goes`,
    ...(first !== undefined && { object: objectOf(first) }),
    ...(owner !== undefined && { owner }),
    details: [],
    endsByItself: 'yes',
    why: 'that ends when they have completed',
  };
}

const againEvicted = 'each that comes back is evicted again every 20 s';

const returningCause = (pods: readonly string[]): Cause[] =>
  pods.length === 0
    ? []
    : [
        {
          kind: 'return',
          phase: 'drain',
          what: `Pods that tolerate the cordon come back to the Node: ${listOf(pods, shownPods)}`,
          details: [againEvicted],
          endsByItself: 'no',
          why: 'they come back as long as they tolerate the cordon and may be scheduled there',
        },
      ];

const pinnedCause = (maker: string, pods: readonly string[]): Cause => ({
  kind: 'return',
  phase: 'drain',
  what: `Pods that ${maker} makes on this very Node come back to it: ${listOf(pods, shownPods)}`,
  owner: maker,
  details: ['its template names the Node by nodeName, so no cordon keeps them away', againEvicted],
  endsByItself: 'no',
  why: 'they come back as long as the template names the Node',
});
