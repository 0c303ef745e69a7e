import { reported } from '../cache/ledger.ts';
import { isHandOverShown, shownDrain } from '../dialects/beside/status.ts';
import type { Report } from '../machine/report.ts';
import { reachedAt, type Subject } from '../phase/definition.ts';
import type { Environment } from '../runtime/environment.ts';

/** A drain that ends sooner is never shown, and another text of the same wait is shown no sooner. */
const quietMilliseconds = 15_000;

/**
 * How many milliseconds a wait is not shown yet, where each write delays the API's own controller. 0: it is shown now. What
 * holds the drain up, or fails, is shown at once, its next text later.
 */
export function millisecondsToShow(
  { cache, clock }: Pick<Environment, 'cache' | 'clock'>,
  { machine, dialect, checkpoint }: Subject,
  report: Report | undefined,
): number {
  if (dialect.beside?.isDelayedByWrites !== true || report === undefined || report.error !== undefined)
    return 0;
  // That controller is at work. Only what is no longer true is worth a write.
  if (report.reason === 'HandingOver') return isHandOverShown(machine) ? Infinity : 0;
  const shown = shownDrain(machine);
  if (shown?.reason === report.reason) {
    const last = reported(cache, machine.ref.uid).statusWrites?.at(-1);
    return last === undefined ? 0 : Math.max(0, quietMilliseconds - last.age());
  }
  if (report.isHeldUp === true || report.reason !== 'DrainingNode') return 0;
  return Math.max(0, quietMilliseconds - Math.abs(clock.now() - reachedAt({ checkpoint })));
}
