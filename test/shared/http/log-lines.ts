import { createLog } from '../../../shared/runtime/log.ts';

/** A log whose lines can be read back. */
export function logLines() {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (text: string) => lines.push(JSON.parse(text)) };
  return { lines, log: createLog({ stream, clock: { now: () => 0 }, level: 'debug', form: 'json' }) };
}
