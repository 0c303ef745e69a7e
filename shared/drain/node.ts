import { type Condition, type Node, unreachableSince } from '../kubernetes/objects.ts';
import { compareBytes } from '../text/byte-order.ts';
import { type Instant, rfc3339Seconds } from '../time/clock.ts';

/** How a drain stands, as a Node's conditions DrainInProgress and Drained (KEP-5683) tell it. */
export type DrainStage = 'in-progress' | 'drained' | 'not-drained';

/** What is told on the Node. */
export interface DrainConditions {
  stage: DrainStage;
  /** `Phaseout…`: by that its own conditions are known again. */
  reason: `Phaseout${string}`;
  message: string;
}

const statuses: Record<DrainStage, Readonly<Record<string, Condition['status']>>> = {
  'in-progress': { DrainInProgress: 'True', Drained: 'False' },
  drained: { DrainInProgress: 'False', Drained: 'True' },
  'not-drained': { DrainInProgress: 'False', Drained: 'False' },
};

/** What every message begins with: the Machine that the Node was drained for. */
export const messagePrefix = (machine: { namespace: string; name: string }): string =>
  `Machine ${machine.namespace}/${machine.name}: `;

/**
 * The Node's conditions with these two; undefined where they say so already, or are somebody else's. That a drain has ended
 * undone is told only where the Node shows one of the same Machine.
 */
export function withDrainConditions(
  node: Node,
  told: DrainConditions,
  now: Instant,
): Condition[] | undefined {
  const conditions = node.status?.conditions ?? [];
  const wanted = statuses[told.stage];
  const before = conditions.filter(({ type }) => type in wanted);
  if (before.some(({ reason = '' }) => !reason.startsWith('Phaseout'))) return undefined;
  if (before.length === 2 && before.every(({ type, status }) => status === wanted[type])) return undefined;
  if (told.stage === 'not-drained' && !before.some((each) => isInProgress(each, told))) return undefined;
  const others = conditions.filter(({ type }) => !(type in wanted));
  return [...others, ...Object.entries(wanted).map(([type, status]) => condition(type, status))];

  function condition(type: string, status: Condition['status']): Condition {
    const time = rfc3339Seconds(now);
    const same = before.find((each) => each.type === type && each.status === status);
    const lastTransitionTime = same?.lastTransitionTime ?? time;
    const { reason, message } = told;
    return { type, status, lastHeartbeatTime: time, lastTransitionTime, reason, message };
  }
}

const isInProgress = ({ type, status, message = '' }: Condition, told: DrainConditions): boolean =>
  type === 'DrainInProgress' && status === 'True' && message.split(': ')[0] === told.message.split(': ')[0];

/** What a drain does otherwise on a Node that cannot be reached, a sentence each. */
export const drainUnreachably: readonly string[] = [
  'evictions ask for a grace period of 1 s',
  'a Pod that is on its way is left behind 2 s after it was to be gone, and its containers may run until the server is gone',
  'a disruption budget that refuses an eviction still holds the drain',
];

/** `Node n1 is unreachable (since …)`. */
export function unreachableText(node: Node): string {
  const since = unreachableSince(node);
  const when = since === undefined ? 'since when it does not say' : `since ${since}`;
  return `Node ${node.metadata.name} is unreachable (${when})`;
}

/** Our own line, for who follows the deletion. */
export const unreachableRemark = (node: Node): string =>
  `${unreachableText(node)}: ${drainUnreachably.join('; ')}`;

/** Either label makes a Node one of the control plane, whatever its value. */
export const controlPlaneLabels = [
  'node-role.kubernetes.io/control-plane',
  'node-role.kubernetes.io/master',
] as const;

/** Whether the Node has a label of the control plane. */
export const isOfControlPlane = ({ metadata: { labels = {} } }: Node): boolean =>
  controlPlaneLabels.some((label) => label in labels);

/** OpenShift's words for a control plane Node that has to wait for another one. */
export const notPermitted = 'drain not permitted: requeue in: 20s';

/** The first by name of the others that are cordoned. It may be in a drain, or leave the cluster. */
export const cordonedOther = (controlPlane: readonly Node[], uid: string): Node | undefined =>
  controlPlane
    .filter(({ metadata, spec }) => metadata.uid !== uid && spec?.unschedulable === true)
    .toSorted((a, b) => compareBytes(a.metadata.name, b.metadata.name))[0];
