import type { Machine } from '../../machine/machine.ts';
import type { Report } from '../../machine/report.ts';
import { isOfFormer } from '../../machine/timestamps.ts';
import { rfc3339Seconds } from '../../time/clock.ts';
import { type ConditionList, conditionsFrom, conditionsIn, find } from '../conditions.ts';
import { recordAt, textAt } from '../fields.ts';
import type { Place, StatusInput } from '../status-input.ts';
import { conditionsV1Beta1 } from './conditions-v1beta1.ts';
import { conditionsV1Beta2, isShownAsPaused, pausedConditions } from './conditions-v1beta2.ts';
import { deletionTimes, startTimes } from './deletion-times.ts';
import { nodesUnknown } from './node-conditions.ts';

type Status = Record<string, unknown>;

/**
 * The whole status of a Machine that is being deleted, in the form of its API version. What is another's stays. Asking again
 * gives the same, so that the caller writes only what changed.
 */
export function status(input: StatusInput): Status {
  const before: Status = { ...recordAt(input.machine.raw, 'status') };
  const { v1Beta1, v1Beta2 } = placesOf(input.machine.ref.apiVersion);
  const { paused } = input;
  if (paused === undefined) {
    if (isShownAsPaused(listAt(before, v1Beta2))) return before;
  } else if (paused.length > 0) {
    return withList(before, v1Beta2, pausedConditions(listAt(before, v1Beta2), paused, input));
  }
  const deletion = deletionTimes(input);
  const withConditions = withList(
    before,
    v1Beta2,
    conditionsV1Beta2(listAt(before, v1Beta2), deletion, input),
  );
  return {
    ...withList(withConditions, v1Beta1, conditionsV1Beta1(listAt(before, v1Beta1), input)),
    ...deletionField(before, deletion),
    ...nodeRef(before, input),
    ...progress(before, input),
  };
}

/** Null where all that was there is gone: the API takes no empty one. */
function deletionField(before: Status, deletion: Status): Status {
  if (Object.keys(deletion).length > 0) return { deletion };
  return before['deletion'] === undefined ? {} : { deletion: null };
}

/** A Node that was found by its providerID is remembered, so that it need not be searched for again. */
function nodeRef(before: Status, { machine: { ref, nodeName: name } }: StatusInput): Status {
  if (name === undefined || textAt(before, 'nodeRef', 'name') !== undefined) return {};
  return { nodeRef: isV1Beta1(ref.apiVersion) ? { apiVersion: 'v1', kind: 'Node', name } : { name } };
}

/** `lastUpdated` moves with the phase; a generation counts as observed only when the look went well. */
function progress(before: Status, { machine, report, now }: StatusInput): Status {
  const isNew = before['phase'] !== 'Deleting';
  return {
    phase: 'Deleting',
    ...(isNew ? { lastUpdated: rfc3339Seconds(now) } : {}),
    ...(report?.error === undefined ? { observedGeneration: machine.generation } : {}),
  };
}

/** All conditions of a Machine: its API version's own, and those of the other form, which stand apart from them. */
const conditionsSaid = ({ raw }: Machine): ConditionList => [
  ...conditionsIn(raw.status),
  ...conditionsFrom(recordAt(raw.status, 'deprecated', 'v1beta1')['conditions']),
];

/** Without what a former Machine of that name has left. In v1beta1 the time moves with all that a condition says. */
const saidOfIt = (machine: Machine): ConditionList =>
  conditionsSaid(machine).filter(({ lastTransitionTime }) => !isOfFormer(machine, lastTransitionTime));

/** Releases before the time of that wait have the condition alone. */
export const hasWaitedForHooks = (machine: Machine): boolean =>
  startTimes(machine)['pre-terminate'] !== undefined ||
  find(saidOfIt(machine), 'PreTerminateDeleteHookSucceeded')?.status === 'False';

/** Whether a Machine is in the older of the two versions. */
const isV1Beta1 = (apiVersion: string): boolean => apiVersion.endsWith('/v1beta1');

/** Each API version shows its own conditions in `status.conditions` and the other's apart from them. */
export const placesOf = (apiVersion: string): { v1Beta1: string[]; v1Beta2: string[] } =>
  isV1Beta1(apiVersion)
    ? { v1Beta1: [], v1Beta2: ['v1beta2'] }
    : { v1Beta1: ['deprecated', 'v1beta1'], v1Beta2: [] };

/** The conditions of a status that are at a place. */
export const listAt = (shown: Status, place: string[]): ConditionList =>
  conditionsFrom(recordAt(shown, ...place)['conditions']);

/** The status with other conditions at a place. */
export function withList(shown: Status, place: string[], conditions: ConditionList): Status {
  const [field, ...rest] = place;
  if (field === undefined) return { ...shown, conditions };
  return { ...shown, [field]: withList({ ...recordAt(shown, field) }, rest, conditions) };
}

/** What is said of each, in v1beta2 and in v1beta1. */
const typesOf: Record<Place, readonly string[]> = {
  infrastructure: ['InfrastructureReady'],
  bootstrap: ['BootstrapConfigReady', 'BootstrapReady'],
  node: ['NodeHealthy'],
};

const places: readonly Place[] = ['infrastructure', 'bootstrap', 'node'];
const longWaits: readonly string[] = ['WaitingForPreDrainHook', 'WaitingForPreTerminateHook'];
/** Of a Node that could not be seen. */
const unseenNode: readonly string[] = ['InspectionFailed', 'ConnectionDown'];
/** Something could not be read. To try it again at each look of a drain might take a request's time each. */
const unread = 'InternalError';

/**
 * What a status with this report should know, although the step did not need it. It is what was never said, and what could
 * not be seen before. It is a Node that the Cluster calls unseen, so that statuses do not alternate. It is everything when a
 * wait for hooks begins: that reads nothing and may last.
 */
export function worthSeeing(
  { machine, cluster, now }: Pick<StatusInput, 'machine' | 'cluster' | 'now'>,
  { reason }: Report,
): Place[] {
  const shown = conditionsSaid(machine);
  const isLong = longWaits.includes(reason);
  if (isLong && find(shown, 'Deleting')?.reason !== reason) return [...places];
  const isUnseen = (why: string | undefined): boolean =>
    unseenNode.some((each) => each === why) || (isLong && why === unread);
  return places.filter((place) => {
    if (place === 'node' && nodesUnknown(cluster, now) !== undefined) return true;
    const known = shown.filter(({ type }) => typesOf[place].includes(type));
    return known.length === 0 || known.some((condition) => isUnseen(condition.reason));
  });
}
