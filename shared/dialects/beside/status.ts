import type { Condition } from '../../kubernetes/objects.ts';
import type { Machine } from '../../machine/machine.ts';
import { withRemarks } from '../../machine/report.ts';
import { listAt, placesOf, withList } from '../capi/status.ts';
import { conditionsFrom, conditionsIn, find, setV1Beta2, type WantedCondition } from '../conditions.ts';
import { recordAt } from '../fields.ts';
import { setAll } from '../openshift/conditions.ts';
import { wantedOwnNode, withoutOwnNode } from '../own-node-condition.ts';
import type { StatusInput } from '../status-input.ts';
import { drainingCondition } from './hook.ts';

/** Conditions of our own, and nothing else: the rest of the status is the API's own controller's. */
export function clusterApiStatus(input: StatusInput): Record<string, unknown> {
  const { machine, now } = input;
  const before = { ...recordAt(machine.raw, 'status') };
  if (mustBeLeft(input)) return before;
  const place = placesOf(machine.ref.apiVersion).v1Beta2;
  const at = { generation: machine.generation, now };
  const owner = wantedOwnNode(input);
  const conditions = setV1Beta2(withoutOwnNode(listAt(before, place), input), draining(input), at);
  return withList(before, place, owner === undefined ? conditions : setV1Beta2(conditions, owner, at));
}

/** The same in OpenShift's list, which is sorted by type. */
export function openShiftStatus(input: StatusInput): Record<string, unknown> {
  const before = { ...recordAt(input.machine.raw, 'status') };
  if (mustBeLeft(input)) return before;
  const wanted = draining(input);
  const severity = wanted.status === 'False' && { severity: 'Info' as const };
  const owner = wantedOwnNode(input);
  const list = withoutOwnNode(conditionsFrom(before['conditions']), input);
  const allWanted = [{ ...wanted, ...severity }, ...(owner === undefined ? [] : [owner])];
  return { ...before, conditions: setAll(list, allWanted, input) };
}

/** A Machine that must be left as it is gets no word of ours either. */
const mustBeLeft = ({ paused }: StatusInput): boolean => paused === undefined || paused.length > 0;

/** After the drain it says what the Machine waits for, and that this is no drain. */
const draining = ({ report, checkpoint }: StatusInput): WantedCondition => ({
  type: drainingCondition,
  status: report?.reason === 'HandingOver' || checkpoint.phase === 'pre-terminate' ? 'False' : 'True',
  reason: report?.reason ?? 'Deleting',
  message: report === undefined ? 'Deletion started' : withRemarks(report),
  isError: report?.error !== undefined,
});

/** Our condition as the Machine shows it, in the form of either API version. */
export const shownDrain = ({ raw: { status } }: Machine): Condition | undefined =>
  find(conditionsIn(status), drainingCondition);

/** A Machine that shows nothing of ours, or that it was handed over. No other text of ours is left to be taken back. */
export const isHandOverShown = (machine: Machine): boolean =>
  (shownDrain(machine)?.reason ?? 'HandingOver') === 'HandingOver';
