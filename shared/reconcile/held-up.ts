import { type MachineEvent, type Report, warning, withRemarks } from '../machine/report.ts';
import type { Subject } from '../phase/definition.ts';

/**
 * Beside the API's own controller, a MachineSet says of a Machine that our hook holds only that it waits. What holds its
 * drain up is told on the MachineSet, too.
 */
export function heldUpEvents({ machine, dialect }: Subject, report: Report): MachineEvent[] {
  if (dialect.beside === undefined || (report.isHeldUp !== true && report.error === undefined)) return [];
  const owner = machine.raw.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner?.kind !== 'MachineSet') return [];
  const { apiVersion, kind, name, uid } = owner;
  const message = `Machine ${machine.ref.name}: ${report.error ?? withRemarks(report)}`;
  return [{ ...warning('DrainHeldUp', message), about: { apiVersion, kind, name, uid } }];
}
