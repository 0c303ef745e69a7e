import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'vitest';

/** One of our commands as a process of its own. */
export interface Running {
  process: ChildProcess;
  written: { stdout: string; stderr: string };
  /** Resolves with the exit code, or with the name of the signal that ended it. */
  ended: Promise<number | string>;
}

interface Command {
  /** Path from the root of the repository. */
  script: string;
  args?: readonly string[];
  /** The whole environment; that of the tests if none is given. */
  env?: Readonly<Record<string, string>>;
}

/** Killed, if it is still there, when the test is over. */
export function spawned({ onTestFinished }: TestContext, { script, args = [], env }: Command): Running {
  const path = new URL(`../../../${script}`, import.meta.url).pathname;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(env === undefined ? {} : { env }),
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (written.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (written.stderr += data.toString()));
  // Not `exit`: what was written last may come after that.
  const ended = once(child, 'close').then(([code, signal]: unknown[]) =>
    typeof code === 'number' ? code : String(signal),
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { process: child, written, ended };
}
