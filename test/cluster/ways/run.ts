import type { Clock } from '../../../shared/time/clock.ts';
import { type Child, inherited, startChild } from '../child.ts';
import { until } from '../until.ts';
import type { Running } from './way.ts';

export interface RunOptions {
  kubeconfig: string;
  environment: Readonly<Record<string, string>>;
  clock: Clock;
  signal: AbortSignal;
}

const startMilliseconds = 60_000;

/** `phaseout run --kubeconfig FILE`: one process with everything in it. */
export async function startRun({ kubeconfig, environment, clock, signal }: RunOptions): Promise<Running> {
  const children: Child[] = [];
  const start = async (): Promise<void> => {
    const args = ['run', '--kubeconfig', kubeconfig];
    const child = startChild('infra/cli/phaseout.ts', args, { ...inherited, ...environment });
    children.push(child);
    const waiting = { clock, signal, deadline: clock.now() + startMilliseconds };
    const said = (): string => child.lines().join('\n');
    await until('phaseout run to look after Machines', waiting, () => hasStarted(child), said);
  };
  const stop = async (how: NodeJS.Signals): Promise<void> => children.at(-1)?.end(how);
  await start().catch(async (error: unknown) => {
    await stop('SIGKILL');
    throw error;
  });
  return {
    async kill() {
      await stop('SIGKILL');
      await start();
    },
    log: () => children.flatMap((child) => child.lines()),
    requests: () => Promise.resolve(undefined),
    close: () => stop('SIGTERM'),
  };
}

function hasStarted(child: Child): true | undefined {
  if (child.process.exitCode !== null) throw new Error(`phaseout run ended: ${child.lines().join('\n')}`);
  return child.lines().some((line) => line.startsWith('Serving until Ctrl-C')) ? true : undefined;
}
