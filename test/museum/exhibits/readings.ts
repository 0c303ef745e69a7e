import type { Exhibit } from '../exhibit.ts';

/** Unknown is not absent. */
export const readings: readonly Exhibit[] = [
  {
    number: 19,
    from: 'gardener/machine-controller-manager 482',
    mistake: 'One wrong answer, such as that of a proxy, makes everything behind it count as gone at once.',
    file: 'shared/adapters/kubernetes/reads.ts',
    edits: [
      {
        text: `if (isObjectAbsent(answer, resource, key)) return undefined;`,
        instead: `if (answer.code === 404) return undefined;`,
      },
    ],
    tests: ['test/shared/adapters/kubernetes/get.test.ts'],
  },
  {
    number: 31,
    from: 'kubernetes-sigs/cluster-api, its machine controller',
    mistake:
      'An infrastructure object that could not be read is taken for gone, and the Node is not drained.',
    file: 'shared/dialects/capi/gates.ts',
    edits: [
      {
        text: `throw undecidable('the infrastructure object could not be read', infrastructure);`,
        instead: `return \`the infrastructure object could not be read: \${infrastructure.why}\`;`,
      },
    ],
    tests: ['test/shared/dialects/capi/gates.test.ts'],
  },
];
