import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'vitest';

const command = new URL('../../../infra/cli/phaseout.ts', import.meta.url).pathname;

/** The command line as a process of its own. */
export interface Running {
  process: ChildProcess;
  written: { stdout: string; stderr: string };
  /** Resolves with the exit code, or with the name of the signal that ended it. */
  ended: Promise<number | string>;
}

/** Killed, if it is still there, when the test is over. */
export function phaseout({ onTestFinished }: TestContext, ...args: string[]): Running {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', command, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (written.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (written.stderr += data.toString()));
  const ended = once(child, 'exit').then(([code, signal]: unknown[]) =>
    typeof code === 'number' ? code : String(signal),
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { process: child, written, ended };
}
