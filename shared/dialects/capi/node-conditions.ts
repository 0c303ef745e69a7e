import type { Condition, Node } from '../../kubernetes/objects.ts';
import { type ConditionList, find, type WantedCondition } from '../conditions.ts';
import type { StatusInput } from '../status-input.ts';
import { nodesUnknown } from './cluster-conditions.ts';

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
const healthy = { Ready: 'True', MemoryPressure: 'False', DiskPressure: 'False', PIDPressure: 'False' };

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
  said?: string;
}

function ailment(node: Node, type: string, good: string): Ailment[] {
  const condition = conditionOf(node, type);
  if (condition === undefined) return [{ status: 'unknown', line: notYetReported(type) }];
  if (condition.status === good) return [];
  const said = condition.message || `Condition is ${condition.status}`;
  const status = condition.status === 'Unknown' ? 'unknown' : 'certain';
  return [{ status, line: `* Node.${type}: ${said}`, said }];
}

/** A kubelet that went silent gives every condition the same message: it is said once. */
function ailmentsMessage(ailments: Ailment[]): string {
  const said = ailments.flatMap((each) => (each.said === undefined ? [] : [each.said]));
  if (said.length > 1 && new Set(said).size === 1) return `* Node.AllConditions: ${said[0]}`;
  return ailments.map(({ line }) => line).join('\n');
}

const notYetReported = (type: string): string => `* Node.${type}: Condition not yet reported`;

const conditionOf = (node: Node, type: string): Condition | undefined =>
  node.status?.conditions?.findLast((condition) => condition.type === type);
