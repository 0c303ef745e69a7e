import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const root = new URL('../../', import.meta.url).pathname;

/** One of the project's commands as a process of its own. */
export interface Child {
  process: ChildProcess;
  /** What it has written so far. */
  written: { stdout: string; stderr: string };
  /** The same in the order in which it came, from both of its outputs. */
  lines(): string[];
  /** Resolves with the exit code, or with the name of the signal that ended it. */
  ended: Promise<number | string>;
  /** Sent a signal, it has ended when this resolves. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** What a credential plugin of a kubeconfig needs of our own environment. */
export const inherited = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };

/** `script` is a path in the repository; the environment is the whole one. */
export function startChild(script: string, args: readonly string[], env: NodeJS.ProcessEnv): Child {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', root + script, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  const written = { stdout: '', stderr: '' };
  let both = '';
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (data: Buffer) => {
      written[name] += data.toString();
      both += data.toString();
    });
  }
  // Not `exit`: what was written last may come after that.
  const ended = once(child, 'close').then(([code, signal]: unknown[]) =>
    typeof code === 'number' ? code : String(signal),
  );
  const leaveNone = (): void => void child.kill('SIGKILL');
  process.once('exit', leaveNone);
  void ended.then(() => process.removeListener('exit', leaveNone));
  return {
    process: child,
    written,
    lines: () => both.split('\n').filter((line) => line !== ''),
    ended,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
    },
  };
}
