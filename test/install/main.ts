#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { readKubeconfig } from '../../infra/cli/read-kubeconfig.ts';
import { CannotDo, UsageError } from '../../infra/terminal/usage-error.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import { systemClock } from '../../shared/time/clock.ts';
import { exitCodeOf } from '../cluster/exit-code.ts';
import { jsonReport, lineReport } from '../cluster/report.ts';
import { Interrupted } from '../cluster/until.ts';
import { type Options, readOptions, usageOf } from './options.ts';
import { playAll } from './play.ts';
import { steps } from './steps/index.ts';

const interruption = new AbortController();
// A second signal is not waited for; what is then left, --clean-up takes away.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());
// The clock's timers keep no process alive.
const awake = setInterval(() => undefined, 60_000);
process.exitCode = await main().catch(explain);
clearInterval(awake);

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), steps);
  if (options.help) {
    process.stdout.write(usageOf(steps));
    return 0;
  }
  const report = options.json ? jsonReport(process.stdout) : lineReport(process.stdout);
  const kubeconfig = fileOf(options);
  const startedAt = systemClock.now();
  const results = await playAll(options, {
    kubeconfig,
    kubeConfig: readKubeconfig({ kind: 'cluster', kubeconfig, context: options.context }),
    clock: systemClock,
    interrupted: interruption.signal,
    report,
    random: randomBytes(3).toString('hex').slice(0, 5),
  });
  if (options.cleanUp) return 0;
  report.end(results, (systemClock.now() - startedAt) / 1_000);
  return exitCodeOf(results, options);
}

function fileOf({ kubeconfig }: Options): string {
  const file = kubeconfig ?? process.env['KUBECONFIG'];
  if (file === undefined || file === '')
    throw new UsageError('no cluster is named: set --kubeconfig FILE or KUBECONFIG');
  return file;
}

function explain(error: unknown): number {
  if (error instanceof Interrupted) {
    process.stderr.write('test:install: interrupted\n');
    return 130;
  }
  const isForUsers = error instanceof UsageError || error instanceof CannotDo || error instanceof Unavailable;
  const text =
    error instanceof Error ? (isForUsers ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`test:install: ${text}\n`);
  return isForUsers ? 2 : 1;
}
