import { isatty } from 'node:tty';
import { systemClock } from '../../shared/time/clock.ts';
import type { Outside } from './outside.ts';
import { ownHeap } from './own-heap.ts';

/** The world around this process. */
export function outsideOfProcess(): Outside {
  const interruption = new AbortController();
  // A second signal is not waited for.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());
  // The reader has closed the pipe, as `head` does.
  process.stdout.on('error', () => interruption.abort());
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    // The stream itself is never opened: nothing is read from it.
    stdin: { isTTY: isatty(0) },
    env: process.env,
    folder: process.cwd(),
    clock: systemClock,
    random: Math.random,
    interrupted: interruption.signal,
    heap: ownHeap,
  };
}
