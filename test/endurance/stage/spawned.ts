import type { TestContext } from 'vitest';
import { type Child, startChild } from '../../cluster/child.ts';

export type Running = Omit<Child, 'lines'>;

interface Command {
  /** Path from the root of the repository. */
  script: string;
  args?: readonly string[];
  /** The whole environment; that of the tests if none is given. */
  env?: Readonly<Record<string, string>>;
}

/** Killed, if it is still there, when the test is over. */
export function spawned({ onTestFinished }: TestContext, { script, args = [], env }: Command): Running {
  const child = startChild(script, args, env ?? process.env);
  onTestFinished(() => child.end('SIGKILL'));
  return child;
}
