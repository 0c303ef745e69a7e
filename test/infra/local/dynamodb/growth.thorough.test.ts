import { expect, onTestFinished, test } from 'vitest';
import { startChild } from '../../../cluster/child.ts';

/** MiB, as garbage collection leaves them. */
type Memory = Record<'heapUsed' | 'external' | 'arrayBuffers', number>;

test('100,000 schedule and unschedule, 10,000 due queries and 5,000 deletions past their retention leave next to nothing', {
  timeout: 600_000,
}, async () => {
  const child = startChild('test/infra/local/dynamodb/growth/process.ts', [], process.env);
  onTestFinished(() => child.end('SIGKILL'));
  expect({ code: await child.ended, said: child.written.stderr }).toEqual({ code: 0, said: '' });
  const lines = child.written.stdout.trim().split('\n');
  const [first, last] = lines.map((line): Memory => JSON.parse(line));
  for (const kind of ['heapUsed', 'external', 'arrayBuffers'] as const) {
    expect(last![kind] - first![kind], `${kind} in MiB, of ${lines.join(' and ')}`).toBeLessThan(20);
  }
});
