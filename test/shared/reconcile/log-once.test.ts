import { expect, test } from 'vitest';
import { createLog } from '../../../shared/runtime/log.ts';

test('a complaint that is made once says which Machine it is about', () => {
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text) };
  const log = createLog({ stream, clock: { now: () => 0 }, level: 'info', form: 'text' });
  log.child({ Machine: 'fleet/worker-7' }).once('provider').warn('no provider', { phase: 'infrastructure' });
  expect(lines).toEqual(['00:00:00.000 WARN  no provider Machine=fleet/worker-7 phase=infrastructure\n']);
});
