import { expect, test } from 'vitest';
import { boardReporter } from '../../../infra/cli/run/board.ts';
import { Following } from '../../../infra/cli/run/follow.ts';
import { lineReporter } from '../../../infra/cli/run/lines.ts';
import { Progress } from '../../../infra/cli/run/progress.ts';
import { untilSettled } from '../../../infra/cli/run/until-settled.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';
import { anOutside } from './outside.ts';

// Whatever goes on keeps the process from ending, and the terminal without its cursor.

test('a board that is closed is not drawn again, neither for what changed just before nor in a while', async () => {
  const clock = manualClock();
  const writes: string[] = [];
  const stdout = { write: (text: string) => writes.push(text), isTTY: true, columns: 80, rows: 24 };
  const { outside } = await anOutside({ stdout, clock });
  const board = boardReporter(outside, { timeline: true });
  const [requests, others] = [() => [], () => []];
  const progress = new Progress();
  board.begin({ subject: '', url: '', startedAt: clock.now(), notes: [], progress, requests, others });
  await clock.advance(1_000);
  board.changed({ time: clock.now(), machine: 'fleet/a', phase: 'drain', event: 'deleting' });
  board.close();
  const before = writes.length;
  await clock.advance(10_000);
  expect([writes.length, clock.timers()]).toEqual([before, 0]);
});

test('the end of the patience is not waited for when the Machines are gone before', async () => {
  const clock = manualClock();
  const { outside } = await anOutside({ clock });
  const ending = new AbortController();
  const following = new Following(lineReporter(outside, { timeline: true }), clock, ending.signal);
  const patience = { clock, interrupted: ending.signal, timeoutSeconds: 3_600 };
  expect(await untilSettled([], following, patience)).toEqual({ kind: 'gone' });
  expect(clock.timers()).toBe(0);
});
