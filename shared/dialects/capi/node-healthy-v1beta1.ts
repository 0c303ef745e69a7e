import type { Condition, Node } from '../../kubernetes/objects.ts';
import type { WantedCondition } from '../conditions.ts';
import { isTerminating } from '../fields.ts';
import type { StatusInput } from '../status-input.ts';
import { infrastructure, sightingOf } from './owned-objects.ts';

const type = 'NodeHealthy';

/**
 * What v1beta1 says of the Machine's Node; undefined where what was said stands: a Node that is gone, or that this
 * look did not see. `known` is the reason that was given last.
 */
export function wantedNodeHealthy(
  input: StatusInput,
  known: string | undefined,
): WantedCondition | undefined {
  const { machine, node } = input;
  if (machine.providerId === undefined) {
    return { type, status: 'False', reason: 'WaitingForNodeRef', severity: 'Info' };
  }
  const isGone = machine.nodeName === undefined || node.kind === 'absent';
  if (isGone || (node.kind !== 'present' && known === 'NodeNotFound')) return undefined;
  const server = sightingOf(infrastructure, input);
  if (server.kind === 'absent' || (server.kind === 'present' && isTerminating(server.object))) {
    return { type, status: 'False', reason: 'Deleting', severity: 'Info' };
  }
  return node.kind === 'present' && server.kind === 'present' ? health(node.object) : undefined;
}

/** What each condition says of a Node that is well. */
const well = new Map<string, Condition['status']>([
  ['Ready', 'True'],
  ['MemoryPressure', 'False'],
  ['DiskPressure', 'False'],
  ['PIDPressure', 'False'],
]);

/** Unlike in v1beta2, a Node counts as healthy while some known condition is good. */
function health(node: Node): WantedCondition {
  const conditions = node.status?.conditions ?? [];
  const ailing = conditions.filter(({ type: name, status }) => well.has(name) && well.get(name) !== status);
  const message = ailing.map(({ type: name, status }) => `Node condition ${name} is ${status}`).join('. ');
  const reason = 'NodeConditionsFailed';
  if (ailing.some(({ status }) => status !== 'Unknown')) {
    return { type, status: 'False', reason, severity: 'Warning', message };
  }
  return ailing.length < well.size ? { type, status: 'True' } : { type, status: 'Unknown', reason, message };
}
