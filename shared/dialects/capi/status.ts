import { rfc3339Seconds } from '../../time/clock.ts';
import { recordAt, textAt } from '../fields.ts';
import type { StatusInput } from '../status-input.ts';
import { isV1Beta1, listAt, placesOf, withList } from './condition-places.ts';
import { conditionsV1Beta1 } from './conditions-v1beta1.ts';
import { conditionsV1Beta2, isShownAsPaused, pausedConditions } from './conditions-v1beta2.ts';
import { deletionTimes } from './deletion-times.ts';

type Status = Record<string, unknown>;

/**
 * The whole status of a Machine that is being deleted, in the form of its API version. What is not ours stays as it
 * is, and asking again later gives the same, so that the caller writes only what changed.
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
  const said = withList(before, v1Beta2, conditionsV1Beta2(listAt(before, v1Beta2), deletion, input));
  return {
    ...withList(said, v1Beta1, conditionsV1Beta1(listAt(before, v1Beta1), input)),
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
