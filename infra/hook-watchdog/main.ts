import { systemClock } from '../../shared/time/clock.ts';
import { runHookWatchdog } from './process.ts';

// Timers of the clock do not keep the process alive.
setInterval(() => undefined, 60_000);

void runHookWatchdog({ env: process.env, stdout: process.stdout, clock: systemClock }).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
