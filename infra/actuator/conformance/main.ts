#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../shared/time/clock.ts';
import { conformance } from './conformance.ts';

const interruption = new AbortController();
// A second signal is not waited for.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

// The clock's timers keep no process alive, and between two looks at a slow server nothing else does.
const alive = setInterval(() => undefined, 1_000);
process.exitCode = await conformance(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  clock: systemClock,
  interrupted: interruption.signal,
  fetch,
  uuid: randomUUID,
});
clearInterval(alive);
