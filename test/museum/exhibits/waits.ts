import type { Exhibit } from '../exhibit.ts';

/** What ends a wait, and what is told of it. */
export const waits: readonly Exhibit[] = [
  {
    number: 25,
    from: 'aws/aws-node-termination-handler 297',
    mistake: 'The same news is told again at every snapshot.',
    file: 'shared/reconcile/wait.ts',
    edits: [
      {
        text: `if (isNew(step, decision.report) || saved.changed) reportWait(step, decision);
  else remind(step, decision);`,
        instead: `reportWait(step, decision);`,
      },
    ],
    tests: ['test/shared/reconcile/wait.test.ts'],
  },
  {
    number: 27,
    from: 'NVIDIA/NVSentinel 593',
    mistake: 'The longest wait of one group of Pods puts off the deadline of the others.',
    file: 'shared/phase/drain-requeue.ts',
    edits: [
      {
        text: `return ends.length === 0 ? [] : [{ kind: 'time', at: Math.min(...ends) }];`,
        instead: `return ends.length === 0 ? [] : [{ kind: 'time', at: Math.max(...ends) }];`,
      },
    ],
    tests: ['test/functions/drain.test.ts'],
  },
  {
    number: 29,
    from: 'defenseunicorns/pepr 745',
    mistake: 'A watch goes silent without an error, and nothing happens any more.',
    file: 'shared/adapters/kubernetes/watch.ts',
    edits: [
      {
        text: `const cancelAgeLimit = clock.after((timeoutSeconds + graceSeconds) * 1000, () => controller.abort());`,
        instead: `const cancelAgeLimit = clock.after((timeoutSeconds + graceSeconds) * 1000, () => undefined);`,
      },
    ],
    tests: ['test/shared/adapters/kubernetes/watch.test.ts'],
  },
];
