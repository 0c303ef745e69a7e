import type { Worker } from 'node:worker_threads';

/** Resolves when the worker has ended; `take` of each message before. Rejects when it breaks down. */
export const workerEnd = (worker: Worker, take: (message: unknown) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    worker.on('message', take);
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  });
