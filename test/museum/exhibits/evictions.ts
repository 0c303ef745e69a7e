import type { Exhibit } from '../exhibit.ts';

/** How evictions are asked for, and what is made of the answers. */
export const evictions: readonly Exhibit[] = [
  {
    number: 17,
    from: 'gardener/machine-controller-manager 703',
    mistake: 'Refused evictions are asked for again without a pause, at the cost of etcd.',
    file: 'shared/drain/backoff.ts',
    edits: [
      {
        text: `const isBackOffOver = !isBackingOff(record, inputs.now);`,
        instead: `const isBackOffOver = true;`,
      },
    ],
    tests: ['test/shared/drain/backoff.test.ts'],
  },
  {
    number: 18,
    from: 'gardener/machine-controller-manager 785',
    mistake:
      'A client that slows itself down keeps a round of evictions, and the deadline behind it, waiting for hours.',
    file: 'shared/adapters/workload-clusters/eviction-queue.ts',
    edits: [{ text: `    for (const run of waiting) run();\n`, instead: '' }],
    tests: ['test/shared/adapters/workload-clusters/eviction-limit.test.ts'],
  },
  {
    number: 23,
    from: 'kubernetes/kubernetes 138229',
    mistake: 'A new Pod of the same name is evicted in place of the one that was meant.',
    file: 'shared/adapters/kubernetes/writes.ts',
    edits: [
      {
        text: `    preconditions: { uid },\n`,
        instead: '',
      },
    ],
    tests: ['test/shared/adapters/kubernetes/evict.test.ts'],
  },
  {
    number: 24,
    from: 'kubernetes/kubernetes 75957',
    mistake:
      'Two budgets over one Pod are taken for a passing error, retried for ever and explained to nobody.',
    file: 'shared/drain/eviction-answer.ts',
    edits: [
      {
        text: `    ? 'MultipleBudgets'\n`,
        instead: `    ? 'Throttled'\n`,
      },
    ],
    tests: ['test/shared/drain/eviction-answer.test.ts'],
  },
];
