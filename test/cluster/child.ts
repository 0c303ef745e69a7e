import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const root = new URL('../../', import.meta.url).pathname;

/** One of the project's commands as a process of its own. */
export interface Child {
  process: ChildProcess;
  /** What it has written so far, on both of its outputs. */
  lines(): string[];
  ended: Promise<unknown>;
  /** Sent a signal, it has ended when this resolves. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** `script` is a path in the repository; the environment is the whole one. */
export function startChild(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Child {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', root + script, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (written += data.toString()));
  }
  const ended = once(child, 'close');
  const leaveNone = (): void => void child.kill('SIGKILL');
  process.once('exit', leaveNone);
  void ended.then(() => process.removeListener('exit', leaveNone));
  return {
    process: child,
    lines: () => written.split('\n').filter((line) => line !== ''),
    ended,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
    },
  };
}
