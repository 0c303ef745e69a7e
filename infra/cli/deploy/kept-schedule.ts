import { textAt } from '../../../shared/dialects/fields.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { atRestAnnotation, whileDeletingAnnotation } from '../../../shared/runtime/ping-schedule.ts';
import { isObject } from '../../local/kubernetes/server/json.ts';

/** The functions change the schedule of a PingSource that may rest, so both of its schedules are right. */
export function withKeptSchedule(wanted: KubeObject, before: KubeObject | undefined): KubeObject {
  const spec = wanted['spec'];
  const live = textAt(before, 'spec', 'schedule');
  if (wanted.kind !== 'PingSource' || !isObject(spec) || live === undefined) return wanted;
  const { annotations = {} } = wanted.metadata;
  const isRight = [annotations[whileDeletingAnnotation], annotations[atRestAnnotation]].includes(live);
  return isRight ? { ...wanted, spec: { ...spec, schedule: live } } : wanted;
}
