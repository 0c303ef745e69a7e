import { randomBytes } from 'node:crypto';
import { CannotDo, UsageError } from '../../infra/terminal/usage-error.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import { systemClock } from '../../shared/time/clock.ts';
import { exitCodeOf } from './exit-code.ts';
import { jsonReport, lineReport, type Report, type Result } from './report.ts';
import { Interrupted } from './until.ts';

/** What is asked of every command that plays something on a cluster. */
interface Asked {
  kubeconfig: string | undefined;
  json: boolean;
  strict: boolean;
  cleanUp: boolean;
}

/** What a command plays with. */
interface Outside {
  kubeconfig: string;
  clock: typeof systemClock;
  interrupted: AbortSignal;
  report: Report;
  /** Five characters or so, unlike those of any other run. */
  random: string;
}

/** Runs the command of this name, and sets the exit code of the process. `run` resolves with the exit code. */
export async function runProgram(
  name: string,
  run: (interrupted: AbortSignal) => Promise<number>,
): Promise<void> {
  const interruption = new AbortController();
  // A second signal is not waited for; what is then left, --clean-up takes away.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());
  // The clock's timers keep no process alive.
  const awake = setInterval(() => undefined, 60_000);
  process.exitCode = await run(interruption.signal).catch((error: unknown) => explain(name, error));
  clearInterval(awake);
}

/** Plays, and reports how it ended. Resolves with the exit code. */
export async function playAndReport(
  asked: Asked,
  interrupted: AbortSignal,
  play: (outside: Outside) => Promise<Result[]>,
): Promise<number> {
  const report = asked.json ? jsonReport(process.stdout) : lineReport(process.stdout);
  const startedAt = systemClock.now();
  const results = await play({
    kubeconfig: fileOf(asked),
    clock: systemClock,
    interrupted,
    report,
    random: randomBytes(3).toString('hex').slice(0, 5),
  });
  if (asked.cleanUp) return 0;
  report.end(results, (systemClock.now() - startedAt) / 1_000);
  return exitCodeOf(results, asked);
}

function fileOf({ kubeconfig }: Asked): string {
  const file = kubeconfig ?? process.env['KUBECONFIG'];
  if (file === undefined || file === '')
    throw new UsageError('no cluster is named: set --kubeconfig FILE or KUBECONFIG');
  return file;
}

function explain(name: string, error: unknown): number {
  if (error instanceof Interrupted) {
    process.stderr.write(`${name}: interrupted\n`);
    return 130;
  }
  const isForUsers = error instanceof UsageError || error instanceof CannotDo || error instanceof Unavailable;
  const text =
    error instanceof Error ? (isForUsers ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`${name}: ${text}\n`);
  return isForUsers ? 2 : 1;
}
