import { Worker } from 'node:worker_threads';
import { workerEnd } from '../command/worker-end.ts';
import { type Part, type Report, reportSchema } from './part.ts';

const script = new URL('worker.ts', import.meta.url);

/** Shares the points of all stories among workers; `told` of each part. Rejects when a worker breaks down. */
export async function sweepMany(
  part: Pick<Part, 'sweeps' | 'stories' | 'seeds'>,
  jobs: number,
  told: (report: Report) => void,
): Promise<void> {
  await Promise.all(
    Array.from({ length: jobs }, (_, first) => {
      const workerData: Part = { ...part, first, step: jobs };
      return workerEnd(new Worker(script, { workerData }), (message) => told(reportSchema.parse(message)));
    }),
  );
}
