import type { TestContext } from 'vitest';
import { type Running, spawned } from './spawned.ts';

/** The command line as a process of its own. On a busy machine time limits pass, and are warned about: that is no error. */
export const phaseout = (context: TestContext, ...args: string[]): Running =>
  spawned(context, {
    script: 'infra/cli/phaseout.ts',
    args,
    env: { ...process.env, PHASEOUT_LOG_LEVEL: 'error' },
  });
