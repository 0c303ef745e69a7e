import type { Condition, Node } from '../../kubernetes/objects.ts';
import { hasReached, isPast, mayTouchNode, passing } from '../../machine/checkpoint.ts';
import { type ConditionList, find, setV1Beta1, sortedV1Beta1, type WantedCondition } from '../conditions.ts';
import { isTerminating } from '../fields.ts';
import type { StatusInput } from '../status-input.ts';
import { isDrainExcluded, isVolumeWaitExcluded } from './annotations.ts';
import { hasBegun } from './deletion-times.ts';
import { healthy } from './node-conditions.ts';
import { bootstrapConfig, infrastructure, sightingOf, v1Beta1Saying } from './owned-objects.ts';

type Part = (input: StatusInput, before: ConditionList) => WantedCondition | undefined;

/** The v1beta1 conditions of a Machine that is being deleted. */
export function conditionsV1Beta1(before: ConditionList, input: StatusInput): ConditionList {
  const list = parts.reduce((said, part) => put(said, part(input, before), input), before);
  return sortedV1Beta1(put(list, readyV1Beta1Saying(list), input));
}

const put = (
  list: ConditionList,
  saying: WantedCondition | undefined,
  { now }: StatusInput,
): ConditionList => (saying === undefined ? list : setV1Beta1(list, saying, now));

const isTrue = (type: string): WantedCondition => ({ type, status: 'True' });
const isFalse = (type: string, reason: string, severity: string, message = ''): WantedCondition => ({
  type,
  status: 'False',
  reason,
  severity,
  message,
});

const preDrainHooks: Part = ({ report, checkpoint }) => {
  const type = 'PreDrainDeleteHookSucceeded';
  if (report?.reason === 'WaitingForPreDrainHook') return isFalse(type, 'WaitingExternalHook', 'Info');
  return isPast(checkpoint, 'pre-drain') && mayTouchNode(checkpoint) ? isTrue(type) : undefined;
};

const preTerminateHooks: Part = ({ report, checkpoint }) => {
  const type = 'PreTerminateDeleteHookSucceeded';
  if (report?.reason === 'WaitingForPreTerminateHook') return isFalse(type, 'WaitingExternalHook', 'Info');
  return hasReached(checkpoint, 'infrastructure') ? isTrue(type) : undefined;
};

/** A drain that ran out of time keeps what it said last, for good. */
const draining: Part = (input, before) => {
  const type = 'DrainingSucceeded';
  const { report, checkpoint, machine } = input;
  const as = passing(checkpoint, 'drain');
  if (as === 'done') return isTrue(type);
  const begun = isFalse(type, 'Draining', 'Info', 'Draining the node before deletion');
  if (as === 'timed-out') return find(before, type) === undefined ? begun : undefined;
  if (checkpoint.phase !== 'drain' || isDrainExcluded(machine)) return undefined;
  const known = find(before, type);
  // In the peer it comes with the beginning, and whether that has come is told by it.
  if (known === undefined && !hasBegun(input, 'DrainingNode')) return undefined;
  if (report?.reason === 'DrainingNode') {
    return report.error === undefined
      ? isFalse(type, 'Draining', 'Info', report.message)
      : { ...isFalse(type, 'DrainingFailed', 'Warning', report.error), isError: true };
  }
  return known === undefined ? begun : undefined;
};

/** Its text never gets details, and an error leaves it alone. */
const volumeDetach: Part = (input, before) => {
  const type = 'VolumeDetachSucceeded';
  const as = passing(input.checkpoint, 'volume-detach');
  if (as === 'done') return isTrue(type);
  if (find(before, type) !== undefined) return undefined;
  const { checkpoint, machine } = input;
  const isIn = checkpoint.phase === 'volume-detach' && !isVolumeWaitExcluded(machine);
  if (as !== 'timed-out' && !(isIn && hasBegun(input, 'WaitingForVolumeDetach'))) return undefined;
  return isFalse(type, 'WaitingForVolumeDetach', 'Info', 'Waiting for node volumes to be detached');
};

const nodeHealthy: Part = (input, before) => {
  const { report, checkpoint } = input;
  const failed = isFalse('NodeHealthy', 'DeletionFailed', 'Warning');
  if (report?.reason === 'DeletingNode' && report.error !== undefined) return failed;
  if (passing(checkpoint, 'node') === 'timed-out') return failed;
  return wantedNodeHealthy(input, find(before, 'NodeHealthy')?.reason);
};

const parts: readonly Part[] = [
  (input) => v1Beta1Saying(bootstrapConfig, input),
  (input) => v1Beta1Saying(infrastructure, input),
  preDrainHooks,
  draining,
  volumeDetach,
  preTerminateHooks,
  nodeHealthy,
];

/**
 * What v1beta1 says of the Machine's Node. Undefined keeps the former words, for a Node that is gone or was not seen. `known`
 * is the reason that was given last.
 */
function wantedNodeHealthy(input: StatusInput, known: string | undefined): WantedCondition | undefined {
  const { machine, node } = input;
  if (machine.providerId === undefined) {
    return { type: 'NodeHealthy', status: 'False', reason: 'WaitingForNodeRef', severity: 'Info' };
  }
  const isGone = machine.nodeName === undefined || node.kind === 'absent';
  if (isGone || (node.kind !== 'present' && known === 'NodeNotFound')) return undefined;
  const server = sightingOf(infrastructure, input);
  if (server.kind === 'absent' || (server.kind === 'present' && isTerminating(server.object))) {
    return { type: 'NodeHealthy', status: 'False', reason: 'Deleting', severity: 'Info' };
  }
  return node.kind === 'present' && server.kind === 'present' ? health(node.object) : undefined;
}

/** Unlike in v1beta2, a Node counts as healthy while some known condition is good. */
function health(node: Node): WantedCondition {
  const conditions = node.status?.conditions ?? [];
  const ailing = conditions.filter(
    ({ type: name, status }) => Object.hasOwn(healthy, name) && healthy[name] !== status,
  );
  const message = ailing.map(({ type: name, status }) => `Node condition ${name} is ${status}`).join('. ');
  const reason = 'NodeConditionsFailed';
  if (ailing.some(({ status }) => status !== 'Unknown')) {
    return { type: 'NodeHealthy', status: 'False', reason, severity: 'Warning', message };
  }
  return ailing.length < Object.keys(healthy).length
    ? { type: 'NodeHealthy', status: 'True' }
    : { type: 'NodeHealthy', status: 'Unknown', reason, message };
}

/** What Ready is made of, the most telling first. */
const readyParts = [
  'InfrastructureReady',
  'BootstrapReady',
  'HealthCheckSucceeded',
  'OwnerRemediated',
  'DrainingSucceeded',
];

/** The worst comes first; equally bad ones keep the order of the readyParts. */
function badness({ status, severity }: Condition): number {
  if (status === 'True') return 3;
  if (status === 'Unknown') return 4;
  const rank = ['Error', 'Warning', 'Info'].indexOf(severity ?? '');
  return rank === -1 ? 5 : rank;
}

/** v1beta1's Ready: True when no part is bad, else what the worst part says. Undefined when there are no readyParts. */
export function readyV1Beta1Saying(list: ConditionList): WantedCondition | undefined {
  const [worst] = readyParts
    .flatMap((type) => find(list, type) ?? [])
    .toSorted((a, b) => badness(a) - badness(b));
  if (worst === undefined) return undefined;
  if (worst.status === 'True') return { type: 'Ready', status: 'True' };
  const { status, reason = '', message = '' } = worst;
  const severity = status === 'False' ? (worst.severity ?? '') : '';
  return { type: 'Ready', status, reason, message, severity };
}
