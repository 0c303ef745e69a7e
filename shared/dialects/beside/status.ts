import { withRemarks } from '../../machine/remarks.ts';
import { listAt, placesOf, withList } from '../capi/condition-places.ts';
import { sayV1Beta2 } from '../conditions.ts';
import { recordAt } from '../fields.ts';
import type { StatusInput } from '../status-input.ts';
import { drainingCondition } from './names.ts';

/** A condition of our own, and nothing else: the rest of the status is the API's own controller's. */
export function status({ machine, report, paused, now }: StatusInput): Record<string, unknown> {
  const before = { ...recordAt(machine.raw, 'status') };
  // A Machine that must be left as it is gets no word of ours either.
  if (paused === undefined || paused.length > 0) return before;
  const place = placesOf(machine.ref.apiVersion).v1Beta2;
  const saying = {
    type: drainingCondition,
    status: report?.reason === 'HandingOver' ? 'False' : 'True',
    reason: report?.reason ?? 'Deleting',
    message: report === undefined ? 'Deletion started' : withRemarks(report),
    isError: report?.error !== undefined,
  } as const;
  const at = { generation: machine.generation, now };
  const conditions = sayV1Beta2(listAt(before, place), saying, at);
  return withList(before, place, conditions);
}
