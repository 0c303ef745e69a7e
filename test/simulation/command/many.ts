import { Worker } from 'node:worker_threads';
import { addCoverage, type Coverage, noCoverage } from '../coverage.ts';
import type { Options } from './options.ts';
import { type Part, type Report, reportSchema } from './part.ts';
import { workerEnd } from './worker-end.ts';

/** What all workers have played so far. */
export interface Total {
  seeds: number;
  steps: number;
  seconds: number;
  violations: { seed: number; what: string }[];
  coverage: Coverage;
}

const script = new URL('worker.ts', import.meta.url);

/**
 * Plays many seeds, shared among workers, until all are played or too many of them violate something. `told` is called
 * after each report. Rejects when a worker breaks down.
 */
export async function playMany(options: Options, told: (total: Total) => void): Promise<Total> {
  const total: Total = { seeds: 0, steps: 0, seconds: 0, violations: [], coverage: noCoverage() };
  const jobs = Math.min(options.jobs, options.seeds);
  const workers: Worker[] = [];
  const take = (report: Report): void => {
    total.seeds += report.seeds;
    total.steps += report.steps;
    total.seconds += report.seconds;
    total.violations.push(...report.violations);
    addCoverage(total.coverage, report.coverage);
    told(total);
    if (total.violations.length >= options.most) for (const worker of workers) void worker.terminate();
  };
  await Promise.all(
    Array.from({ length: jobs }, (_, index) => {
      const worker = new Worker(script, { workerData: partOf(options, index, jobs) });
      workers.push(worker);
      return workerEnd(worker, (message) => take(reportSchema.parse(message)));
    }),
  );
  return total;
}

const partOf = (
  { from, seeds, only, without, beside, deployments }: Options,
  index: number,
  jobs: number,
): Part => ({
  seeds: { first: from + index, end: from + seeds, step: jobs },
  ...(only === undefined ? {} : { only: [...only] }),
  without: [...without],
  beside,
  deployments,
});
