import { type ConditionList, find, setV1Beta1, sortedV1Beta1, type WantedCondition } from '../conditions.ts';
import { hasReached, isPast, mayTouchNode, passing } from '../passed-phases.ts';
import type { StatusInput } from '../status-input.ts';
import { isDrainExcluded, isVolumeWaitExcluded } from './exclusions.ts';
import { wantedNodeHealthy } from './node-healthy-v1beta1.ts';
import { bootstrapConfig, infrastructure, v1Beta1Saying } from './owned-objects.ts';
import { readyV1Beta1Saying } from './ready-v1beta1.ts';
import { hasBegun } from './step-started.ts';

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
