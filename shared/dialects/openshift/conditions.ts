import { isPast } from '../../machine/checkpoint.ts';
import type { Machine } from '../../machine/machine.ts';
import { hookPointOf } from '../../machine/phase.ts';
import { isOfFormer, madeAt } from '../../machine/timestamps.ts';
import { compareBytes } from '../../text/byte-order.ts';
import { type ConditionList, find, setV1Beta1, type WantedCondition } from '../conditions.ts';
import type { HookPoint } from '../dialect.ts';
import type { StatusInput } from '../status-input.ts';
import { hookList, hookMessage } from './hooks.ts';
import { authorityMessage, authorityOf, drainedType, invalidity, isRuledHere } from './judgements.ts';

/** Our own: the API has no condition for a Machine that its controllers refuse to touch. */
const validType = 'phaseout.dev/Valid';

type Told = Pick<StatusInput, 'machine'> & Partial<Pick<StatusInput, 'report'>>;

/** Whether a hook holds the Machine; for people only, since what counts are the lists and the DeletionHooks. */
export const wantedHookConditions = (told: Told): WantedCondition[] => [
  wantedHookCondition(told, 'pre-drain', 'Drainable'),
  wantedHookCondition(told, 'pre-terminate', 'Terminable'),
];

function wantedHookCondition({ machine, report }: Told, point: HookPoint, type: string): WantedCondition {
  const isAsked = report?.hooks !== undefined && hookPointOf(report.reason) === point;
  const isListed = hookList(machine, point).length > 0;
  if (!isListed && report !== undefined && waitsForPlace(report, point))
    return { type, status: 'False', reason: report.reason, severity: 'Info', message: report.message };
  if (!isListed && !isAsked) return { type, status: 'True' };
  const message = isAsked ? report.message : hookMessage(machine, point);
  return { type, status: 'False', reason: 'HookPresent', severity: 'Warning', message };
}

const waitsForPlace = ({ reason }: NonNullable<Told['report']>, point: HookPoint): boolean =>
  point === 'pre-drain' && reason === 'WaitingForDrainPolicy';

/** Undefined where the Machine cannot be ruled by another API. */
export function wantedPaused(machine: Machine): WantedCondition | undefined {
  const authority = authorityOf(machine);
  if (authority === undefined) return undefined;
  const message = authorityMessage(authority);
  return isRuledHere(authority)
    ? { type: 'Paused', status: 'False', reason: 'AuthoritativeAPIMachineAPI', severity: 'Info', message }
    : { type: 'Paused', status: 'True', reason: 'AuthoritativeAPINotMachineAPI', message };
}

/** Whether the list says something else of the pause, or nothing yet. */
export function isPauseNew(list: ConditionList, { machine, now }: StatusInput): boolean {
  const wanted = wantedPaused(machine);
  return wanted !== undefined && setV1Beta1(list, wanted, now) !== list;
}

/** With what there is to say of the drain; what was said of a former Machine's goes. */
export function withDrained(list: ConditionList, input: StatusInput): ConditionList {
  const { machine, now } = input;
  const own = list.filter(
    (each) => each.type !== drainedType || !isOfFormer(machine, each.lastTransitionTime),
  );
  // By a clock that is behind it would be said of a former Machine again.
  return setAll(own, [wantedDrained(own, input)], { now: Math.max(now, madeAt(machine)) });
}

/** Once True it stays; what has not failed yet is not said. */
function wantedDrained(before: ConditionList, input: StatusInput): WantedCondition | undefined {
  if (find(before, drainedType)?.status === 'True') return undefined;
  const { checkpoint, report } = input;
  if (isPast(checkpoint, 'drain')) {
    const as = checkpoint.passed.drain?.as ?? 'done';
    const message = as === 'done' ? 'Drain finished successfully' : 'Node drain skipped';
    return { type: drainedType, status: 'True', message };
  }
  if (report?.reason !== 'DrainingNode') return undefined;
  const why = report.error ?? (report.isHeldUp === true ? report.message : undefined);
  if (why === undefined) return undefined;
  const message = `could not drain machine: ${why}`;
  const wanted: WantedCondition = {
    type: drainedType,
    status: 'False',
    reason: 'DrainError',
    severity: 'Warning',
    message,
  };
  return { ...wanted, isError: report.error !== undefined };
}

/** Says what is missing, and nothing any more once it is there. */
export function withValidity(list: ConditionList, input: StatusInput): ConditionList {
  const message = invalidity(input.machine);
  if (message === undefined) return list.filter(({ type }) => type !== validType);
  const type = validType;
  return setAll(
    list,
    [{ type, status: 'False', reason: 'FailedValidate', severity: 'Error', message }],
    input,
  );
}

/** Each that has something to say, sorted by type as the API keeps them. */
export const setAll = (
  list: ConditionList,
  sayings: readonly (WantedCondition | undefined)[],
  { now }: Pick<StatusInput, 'now'>,
): ConditionList =>
  sayings
    .reduce((said, saying) => (saying === undefined ? said : setV1Beta1(said, saying, now)), list)
    .toSorted((a, b) => compareBytes(a.type, b.type));
