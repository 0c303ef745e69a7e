import type { Exhibit } from '../exhibit.ts';

/** What others put on a Machine holds until they take it off. */
export const hooksAndFinalizers: readonly Exhibit[] = [
  {
    number: 10,
    from: 'kubernetes-sigs/cluster-api 3872',
    mistake: 'A pre-terminate hook is ignored because the whole cluster is being deleted.',
    file: 'shared/phase/guard.ts',
    edits: [
      {
        text: `if (point === 'pre-drain' && !nodeDeletion.allowed) return false;`,
        instead: `if (!nodeDeletion.allowed) return false;`,
      },
    ],
    tests: ['test/shared/phase/guard.test.ts'],
  },
  {
    number: 30,
    from: 'defenseunicorns/pepr, its finalizer code',
    mistake:
      'The whole list of finalizers is replaced without a test, and the finalizers of others go with ours.',
    file: 'shared/write/finalizer.ts',
    edits: [
      {
        text: `    { op: 'test', path: '/metadata/uid', value: machine.ref.uid },
    { op: 'test', path: '/metadata/resourceVersion', value: machine.resourceVersion },
    { op: 'test', path, value: dialect.finalizer },
    { op: 'remove', path },
`,
        instead: `    {
      op: 'replace',
      path: '/metadata/finalizers',
      value: machine.finalizers.filter((each) => each !== dialect.finalizer),
    },\n`,
      },
    ],
    tests: ['test/shared/write/status.test.ts'],
  },
];
