import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type { Stage } from './stage.ts';

const root = new URL('../../', import.meta.url).pathname;
const run = promisify(execFile);

/** Whether there is one, and it can be started. */
export const hasKubectl = (): Promise<boolean> =>
  run('kubectl', ['version', '--client']).then(
    () => true,
    () => false,
  );

/** Resolves with its output; throws it on a failure. */
export async function kubectl(stage: Stage, ...args: string[]): Promise<string> {
  const all = [...stage.contextArguments, ...args];
  const { stdout } = await run('kubectl', all, { cwd: root, env: stage.environment });
  return stdout;
}

export interface Forwarded {
  port: number;
  close(): Promise<void>;
}

/** `kubectl port-forward` of a Service in phaseout's namespace, to a free port of this machine. */
export async function forwarded(stage: Stage, service: string, port: number): Promise<Forwarded> {
  const args = ['-n', 'phaseout', 'port-forward', `service/${service}`, `:${port}`];
  const options = { cwd: root, env: stage.environment };
  const child: ChildProcess = spawn('kubectl', [...stage.contextArguments, ...args], options);
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output?.on('data', (data: Buffer) => (said += data.toString()));
  const ended = once(child, 'close');
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill();
    await ended;
  };
  try {
    const local = await stage.until(`a port-forward to ${service}`, () => {
      if (child.exitCode !== null) throw new Error(said);
      return Promise.resolve(/127\.0\.0\.1:(\d+)/.exec(said)?.[1]);
    });
    return { port: Number(local), close };
  } catch (error) {
    await close();
    throw error;
  }
}
