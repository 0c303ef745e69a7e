import type { Condition, KubeObject, Node } from '../../kubernetes/objects.ts';
import type { Instant } from '../../time/clock.ts';
import { type ConditionList, conditionsFrom, find, type WantedCondition } from '../conditions.ts';
import { recordAt } from '../fields.ts';
import type { StatusInput } from '../status-input.ts';

/**
 * What NodeReady and NodeHealthy say. Nothing when this step did not see the Node, or could not, unless the Cluster says why.
 * Nothing also when the Node was gone already: that was an error while the Machine lived, and is none now.
 */
export function wantedNodeConditions(input: StatusInput, before: ConditionList): WantedCondition[] {
  const { machine, node, cluster, now } = input;
  if (node.kind === 'present') return [nodeHealthy(node.object), nodeReady(node.object)];
  const isSeenGone = node.kind === 'absent' && machine.nodeName !== undefined;
  const unknown = isSeenGone ? undefined : nodesUnknown(cluster, now);
  if (unknown !== undefined) return both(unknown);
  const wasGone = find(before, 'NodeHealthy')?.reason === 'NodeDeleted';
  if (node.kind !== 'absent' && !wasGone) return [];
  return machine.nodeName === undefined
    ? both({ status: 'Unknown', reason: 'NodeDoesNotExist', message: 'Node does not exist' })
    : both({ status: 'False', reason: 'NodeDeleted', message: `Node ${machine.nodeName} has been deleted` });
}

const both = (saying: Omit<WantedCondition, 'type'>): WantedCondition[] =>
  ['NodeHealthy', 'NodeReady'].map((type) => ({ type, ...saying }));

const readyReason: Record<Condition['status'], string> = {
  True: 'NodeReady',
  False: 'NodeNotReady',
  Unknown: 'NodeReadyUnknown',
};

function nodeReady(node: Node): WantedCondition {
  const type = 'NodeReady';
  const ready = conditionOf(node, 'Ready');
  if (ready === undefined) {
    return { type, status: 'Unknown', reason: readyReason.Unknown, message: notYetReported('Ready') };
  }
  const { status, lastTransitionTime } = ready;
  const message = status === 'True' || !ready.message ? '' : `* Node.Ready: ${ready.message}`;
  return {
    type,
    status,
    reason: readyReason[status],
    message,
    ...(lastTransitionTime ? { lastTransitionTime } : {}),
  };
}

/** What each of a healthy Node's conditions says. */
export const healthy: Readonly<Record<string, Condition['status']>> = {
  Ready: 'True',
  MemoryPressure: 'False',
  DiskPressure: 'False',
  PIDPressure: 'False',
};

function nodeHealthy(node: Node): WantedCondition {
  const ailments = Object.entries(healthy).flatMap(([type, good]) => ailment(node, type, good));
  const message = ailmentsMessage(ailments);
  const type = 'NodeHealthy';
  if (ailments.some(({ status }) => status === 'certain')) {
    return { type, status: 'False', reason: 'NodeNotHealthy', message };
  }
  if (ailments.length > 0) return { type, status: 'Unknown', reason: 'NodeHealthyUnknown', message };
  return { type, status: 'True', reason: 'NodeHealthy', message: '' };
}

interface Ailment {
  status: 'certain' | 'unknown';
  line: string;
  /** Undefined for a condition that was never reported. */
  text?: string;
}

function ailment(node: Node, type: string, good: string): Ailment[] {
  const condition = conditionOf(node, type);
  if (condition === undefined) return [{ status: 'unknown', line: notYetReported(type) }];
  if (condition.status === good) return [];
  const said = condition.message || `Condition is ${condition.status}`;
  const status = condition.status === 'Unknown' ? 'unknown' : 'certain';
  return [{ status, line: `* Node.${type}: ${said}`, text: said }];
}

/** A kubelet that went silent gives every condition the same message: it is said once. */
function ailmentsMessage(ailments: Ailment[]): string {
  const said = ailments.flatMap((each) => (each.text === undefined ? [] : [each.text]));
  if (said.length > 1 && new Set(said).size === 1) return `* Node.AllConditions: ${said[0]}`;
  return ailments.map(({ line }) => line).join('\n');
}

const notYetReported = (type: string): string => `* Node.${type}: Condition not yet reported`;

const conditionOf = (node: Node, type: string): Condition | undefined =>
  node.status?.conditions?.findLast((condition) => condition.type === type);

type NodeSaying = Omit<WantedCondition, 'type'>;

/** Of a connection that is down for no longer than this, what was known of a Node still holds. */
const graceMilliseconds = 5 * 60_000;

/**
 * Why nothing can be known of the Nodes of a Cluster, by its own status. Undefined where it tells no reason, or has no
 * status.
 */
export function nodesUnknown(cluster: KubeObject | undefined, now: Instant): NodeSaying | undefined {
  const status = recordAt(cluster, 'status');
  const said = conditionsFrom(recordAt(status, 'v1beta2')['conditions'] ?? status['conditions']);
  const initialized = find(said, 'ControlPlaneInitialized');
  if (initialized === undefined) return undefined;
  if (!isProvisioned(status)) {
    return uninspected('Waiting for Cluster status.initialization.infrastructureProvisioned to be true');
  }
  if (initialized.status !== 'True')
    return uninspected('Waiting for Cluster control plane to be initialized');
  return connectionDown(said, timeOf(initialized.lastTransitionTime), now);
}

const isProvisioned = (status: Readonly<Record<string, unknown>>): boolean =>
  recordAt(status, 'initialization')['infrastructureProvisioned'] === true ||
  status['infrastructureReady'] === true;

const uninspected = (message: string): NodeSaying => ({
  status: 'Unknown',
  reason: 'InspectionFailed',
  message,
});

const failedProbe = /^Remote connection probe failed(?:, probe last succeeded at (\S+))?$/;

/** The grace counts from the last probe that succeeded, and from the start of the control plane. */
function connectionDown(said: ConditionList, initializedAt: Instant, now: Instant): NodeSaying | undefined {
  const probe = find(said, 'RemoteConnectionProbe');
  const failed = probe?.status === 'False' ? failedProbe.exec(String(probe.message)) : null;
  if (failed === null) return undefined;
  const succeededAt = failed[1];
  if (now - Math.max(timeOf(succeededAt), initializedAt) <= graceMilliseconds) return undefined;
  const message = succeededAt === undefined ? '' : `Last successful probe at ${succeededAt}`;
  return { status: 'Unknown', reason: 'ConnectionDown', message };
}

/** What is no time was before all others. */
const timeOf = (text: string | undefined): Instant => Date.parse(String(text)) || 0;
