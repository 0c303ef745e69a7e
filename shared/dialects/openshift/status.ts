import type { Machine } from '../../machine/machine.ts';
import { rfc3339Seconds } from '../../time/clock.ts';
import { type ConditionList, conditionsFrom } from '../conditions.ts';
import { recordAt } from '../fields.ts';
import { wantedOwnNode, withoutOwnNode } from '../own-node-condition.ts';
import type { StatusInput } from '../status-input.ts';
import {
  isPauseNew,
  setAll,
  wantedHookConditions,
  wantedPaused,
  withDrained,
  withValidity,
} from './conditions.ts';
import { authorityOf, invalidity } from './judgements.ts';

type Status = Record<string, unknown>;

/**
 * The whole status of a Machine that is being deleted. What is another's stays. Asking again gives the same, so that the
 * caller writes only what changed. Null stands for a field that goes.
 */
export function status(input: StatusInput): Status {
  const { machine, paused = [] } = input;
  const before = withAuthority(machine);
  const list = conditionsFrom(before['conditions']);
  const isHeld = paused.length > 0 || invalidity(machine) !== undefined;
  if (isHeld && !isPauseNew(list, input)) {
    return paused.length > 0 ? before : { ...before, conditions: withValidity(list, input) };
  }
  const wanted = [wantedPaused(machine), ...wantedHookConditions(input), wantedOwnNode(input)];
  const next = setAll(withoutOwnNode(list, input), wanted, input);
  const checked = paused.length > 0 ? next : withValidity(next, input);
  const fields = { ...(isHeld ? {} : { phase: 'Deleting' }), ...withoutErrors(before) };
  const conditions = isHeld ? checked : withDrained(checked, input);
  return { ...before, ...fields, ...lastUpdated(before, fields, [list, checked], input), conditions };
}

/** The status takes over what the spec says of the Machine's authority, once. */
function withAuthority(machine: Machine): Status {
  const before = recordAt(machine.raw, 'status');
  const authority = authorityOf(machine);
  return authority === undefined ? { ...before } : { ...before, authoritativeAPI: authority };
}

/** What had failed before does not matter any more. */
const withoutErrors = (before: Status): Status =>
  Object.fromEntries(
    ['errorReason', 'errorMessage']
      .filter((field) => before[field] !== undefined)
      .map((field) => [field, null]),
  );

/** Moves with all that the Machine controller says; the drain's own condition leaves it alone. */
function lastUpdated(
  before: Status,
  fields: Status,
  [list, told]: [ConditionList, ConditionList],
  { now }: StatusInput,
): Status {
  const isSame =
    Object.entries(fields).every(([field, value]) => before[field] === value) &&
    list.length === told.length &&
    told.every((condition) => list.includes(condition));
  return isSame ? {} : { lastUpdated: rfc3339Seconds(now) };
}
