import { Worker } from 'node:worker_threads';
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
      return ended(new Worker(script, { workerData }), told);
    }),
  );
}

const ended = (worker: Worker, told: (report: Report) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    worker.on('message', (message: unknown) => told(reportSchema.parse(message)));
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  });
