import { finalizerStays } from '../../machine/reason.ts';
import { type ConditionList, find, setV1Beta2, sortedV1Beta2, type WantedCondition } from '../conditions.ts';
import { wantedOwnNode, withoutOwnNode } from '../own-node-condition.ts';
import type { StatusInput } from '../status-input.ts';
import { finalizer } from './annotations.ts';
import { wantedNodeConditions } from './node-conditions.ts';
import { bootstrapConfig, infrastructure, v1Beta2Saying } from './owned-objects.ts';
import { deletionStage, drainStart, wantedReady } from './ready.ts';

/** The v1beta2 conditions of a Machine that is being deleted; `deletion` is its `status.deletion`. */
export function conditionsV1Beta2(told: ConditionList, deletion: unknown, input: StatusInput): ConditionList {
  const { machine, now } = input;
  const before = withoutOwnNode(told, input);
  const seen = [
    ...unchanging.map((type) => kept(before, type)),
    v1Beta2Saying(bootstrapConfig, input),
    v1Beta2Saying(infrastructure, input),
    ...wantedNodeConditions(input, before),
    wantedOwnNode(input),
    input.paused === undefined ? kept(before, 'Paused') : paused([]),
    finalizerStaying(before, input) ?? deleting(input),
  ];
  const list = setAll(before, seen, input);
  const deletedAt = machine.deletionTimestamp;
  const drainStartedAt = drainStart(deletion);
  const shown = find(before, 'Ready')?.message;
  const stage = deletionStage({
    deleting: find(list, 'Deleting'),
    deletedAt,
    drainStartedAt,
    said: shown,
    now,
  });
  const notAvailable: WantedCondition = { type: 'Available', status: 'False', reason: 'NotReady' };
  return sortedV1Beta2(setAll(list, [wantedReady(machine, list, stage), notAvailable], input));
}

/** The conditions of a paused Machine: nothing but the pause is looked at. */
export const pausedConditions = (
  before: ConditionList,
  causes: string[],
  input: StatusInput,
): ConditionList => sortedV1Beta2(setAll(before, [paused(causes)], input));

/** Such a Machine is left as it is until it is known that it is not paused any more. */
export const isShownAsPaused = (list: ConditionList): boolean => find(list, 'Paused')?.status === 'True';

function setAll(
  list: ConditionList,
  sayings: (WantedCondition | undefined)[],
  input: StatusInput,
): ConditionList {
  const at = { generation: input.machine.generation, now: input.now };
  return sayings.reduce((said, saying) => (saying === undefined ? said : setV1Beta2(said, saying, at)), list);
}

const paused = (causes: string[]): WantedCondition =>
  causes.length === 0
    ? { type: 'Paused', status: 'False', reason: 'NotPaused' }
    : { type: 'Paused', status: 'True', reason: 'Paused', message: causes.join(', ') };

const deleting = ({ report }: StatusInput): WantedCondition => ({
  type: 'Deleting',
  status: 'True',
  reason: report?.reason ?? 'Deleting',
  message: report?.message ?? 'Deletion started',
  isError: report?.error !== undefined,
});

/** Each try to take it off would otherwise say for a moment that all is well. Each write is news to watchers. */
function finalizerStaying(
  before: ConditionList,
  { machine, report }: StatusInput,
): WantedCondition | undefined {
  const isRefused = find(before, 'Deleting')?.message?.startsWith(finalizerStays) === true;
  return isRefused && machine.finalizers.includes(finalizer) && report?.reason === 'DeletionCompleted'
    ? kept(before, 'Deleting')
    : undefined;
}

const unchanging = ['Updating', 'BootstrapConfigReady', 'InfrastructureReady', 'NodeHealthy', 'NodeReady'];

/** The generation moved because of the deletion. What a look has not seen stands for the new generation too. */
function kept(before: ConditionList, name: string): WantedCondition | undefined {
  const said = find(before, name);
  if (said === undefined) return undefined;
  const { type, status, reason = '', message = '' } = said;
  return { type, status, reason, message };
}
