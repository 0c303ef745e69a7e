import type { TestContext } from 'vitest';
import { type Running, spawned } from './spawned.ts';

/** The command line as a process of its own. */
export const phaseout = (context: TestContext, ...args: string[]): Running =>
  spawned(context, { script: 'infra/cli/phaseout.ts', args });
