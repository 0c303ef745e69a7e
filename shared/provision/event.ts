import { forgetReport, isNewReport, isReportExpired } from '../cache/ledger.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { readOr } from '../kubernetes/errors.ts';
import { isDeleting, type Machine } from '../machine/machine.ts';
import { type MachineEvent, reportKey } from '../machine/report.ts';
import { readAgain } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { writeEvents } from '../write/events.ts';

/**
 * Writes once for each text that a living Machine could not be kept in step. It writes again where that may have been
 * forgotten. An event that comes hours late may be of a Machine that is gone by now. Nothing is written of that one.
 */
export async function writeFailureEvent(
  env: Environment,
  dialect: Dialect,
  machine: Machine,
  fact: MachineEvent,
): Promise<void> {
  env.log.warn('Machine could not be kept in step', { why: fact.message });
  const { uid } = machine.ref;
  const isNew = isNewReport(env.cache, uid, reportKey(0, { ...fact, error: fact.message }));
  if (!isNew && !isReportExpired(env.cache, uid)) return;
  const living = await readOr(machine, () => readAgain(env, dialect, machine));
  if (living === undefined || isDeleting(living)) return;
  const isWritten = await writeEvents(env, { machine, checkpoint: { seq: 0 } }, [fact]);
  if (!isWritten) forgetReport(env.cache, uid);
}
