import type { Exhibit } from '../exhibit.ts';

/** The Node goes when its server has gone, and no other Node does. */
export const node: readonly Exhibit[] = [
  {
    number: 6,
    from: 'kubernetes-sigs/cluster-api 14024',
    mistake:
      'The time to delete a Node is counted from the deletion of its Machine: a long drain leaves none of it.',
    file: 'functions/node.ts',
    edits: [
      {
        text: `subject.dialect.isNodeDeletionOver(subject.machine, limitStart(subject), now);`,
        instead: `subject.dialect.isNodeDeletionOver(subject.machine, subject.machine.deletionTimestamp ?? now, now);`,
      },
    ],
    tests: ['test/functions/deadlines.test.ts'],
  },
  {
    number: 8,
    from: 'kubernetes-sigs/cluster-api 11032',
    mistake: 'A Node that joined without its Machine naming it is not looked for, and stays for ever.',
    file: 'shared/dialects/capi/index.ts',
    edits: [
      {
        text: `findsNodes: true,`,
        instead: `findsNodes: false,`,
      },
    ],
    tests: ['test/shared/read/surroundings.test.ts'],
  },
  {
    number: 26,
    from: 'aws/aws-node-termination-handler 331',
    mistake: 'A Node that does not exist any more makes every look fail, without end.',
    file: 'shared/observe/drain.ts',
    edits: [
      {
        text: `if (own.kind === 'none') return { kind: 'no-node' };`,
        instead: `if (own.kind === 'none') throw new Unavailable('the Node was not found');`,
      },
    ],
    tests: ['test/functions/observe.test.ts'],
  },
];
