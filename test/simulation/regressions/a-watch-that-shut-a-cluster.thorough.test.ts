import { expect, test } from 'vitest';
import { isWatch } from '../faults/api/request-fault.ts';
import type { Fault } from '../faults/fault.ts';
import { aPod } from '../scenario/draw/draft.ts';
import { oneWorker } from './one-worker.ts';
import { simulate } from '../simulate.ts';

// One watch that could not be opened was taken for an outage: all reads would have been answered, and none was asked.

const noWatches: Fault = {
  name: 'the one of this story',
  about: 'No watch of the workload cluster can be opened.',
  strike({ world }) {
    world.meddlers.onRequest((exchange) => {
      if (exchange.host !== 'blue' || !isWatch(exchange)) return undefined;
      world.hit(this.name);
      return 'refused';
    });
    return undefined;
  },
};

test('leaves the cluster open to everything else', async () => {
  const warnings: string[] = [];
  let hits = 0;
  const { violations } = await simulate(1, {
    faults: [noWatches],
    always: true,
    scenario: () =>
      oneWorker({
        also: {
          pods: ['app', 'web'].map((name) => aPod({ host: 'blue', node: 'node-1' }, { name })),
          budgets: [
            { host: 'blue', namespace: 'shop', name: 'all', spec: { maxUnavailable: 1, selector: {} } },
          ],
        },
        calmAt: 60_000,
      }),
    observers: [
      () => ({
        hit: () => void (hits += 1),
        logged: (_instance, level, message, fields) => {
          if (level !== 'debug' && level !== 'info') warnings.push(`${message} ${JSON.stringify(fields)}`);
        },
      }),
    ],
  });
  expect(violations).toEqual([]);
  expect(hits).toBeGreaterThan(0);
  expect(warnings).toEqual([]);
});
