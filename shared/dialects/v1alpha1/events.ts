import type { Machine } from '../../machine/machine.ts';
import { type MachineEvent, warning } from '../../machine/report.ts';
import type { Moment } from '../moment.ts';

/**
 * The original controller wrote no Events and no status: users had to read its log. These are phaseout's own, for what
 * holds a deletion up.
 */
export function events({ nodeName }: Machine, moment: Moment): MachineEvent[] {
  if (moment.what === 'server-failed') {
    return [warning('FailedDelete', `error deleting Machine's instance: ${moment.why}`)];
  }
  if (moment.what === 'node-failed') {
    return [warning('FailedDeleteNode', `error deleting Machine's node "${nodeName ?? ''}": ${moment.why}`)];
  }
  if (moment.what === 'blind' || moment.what === 'unwritten') return [warning('FailedDelete', moment.why)];
  if (moment.what === 'server-stays') return [warning('DeletionLate', moment.why)];
  if (moment.what === 'refused') return [warning('DeletionRefused', moment.why)];
  return [];
}
