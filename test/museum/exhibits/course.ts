import type { Exhibit } from '../exhibit.ts';

/** The course of a drain: when it is done, in which order, and when its time is over. */
export const course: readonly Exhibit[] = [
  {
    number: 2,
    from: 'kubernetes-sigs/cluster-api 11590',
    mistake:
      'A drain is taken up again after pre-terminate hooks were waited for, when nobody may answer any more.',
    file: 'shared/dialects/capi/gates.ts',
    edits: [
      {
        text: `  if (startTimes(machine)['pre-terminate'] !== undefined) {
    return closed('not-applicable', 'pre-terminate hooks have been waited for');
  }
`,
        instead: '',
      },
    ],
    tests: ['test/shared/dialects/capi/gates.test.ts'],
  },
  {
    number: 3,
    from: 'kubernetes-sigs/cluster-api 11050',
    mistake: 'A drain that was given up starts again while volumes are waited for.',
    file: 'shared/phase/retreat.ts',
    edits: [
      {
        text: `return nodeDeletion.allowed && gate.allowed;`,
        instead: `return nodeDeletion.allowed;`,
      },
    ],
    tests: ['test/functions/volume-detach.test.ts'],
  },
  {
    number: 11,
    from: 'kubernetes-sigs/cluster-api, its documentation',
    mistake: 'Pods are evicted from the highest order down.',
    file: 'shared/drain/plan.ts',
    edits: [
      { text: `.toSorted((a, b) => a.order - b.order);`, instead: `.toSorted((a, b) => b.order - a.order);` },
    ],
    tests: ['test/shared/drain/plan.test.ts'],
  },
  {
    number: 12,
    from: 'kubernetes-sigs/karpenter 1133',
    mistake: 'The next group of Pods is evicted before the one before it has gone.',
    file: 'shared/drain/plan.ts',
    edits: [
      {
        text: `const order = batches[0]?.order;`,
        instead: `const order = batchesOf(counting.filter(({ pod }) => !isOnItsWay(pod, records)))[0]?.order;`,
      },
    ],
    tests: ['test/shared/drain/plan.test.ts'],
  },
  {
    number: 13,
    from: 'kubernetes-sigs/karpenter 1776',
    mistake: 'The time for a drain is over, and budgets go on holding it up.',
    file: 'shared/dialects/capi/gates.ts',
    edits: [
      {
        text: `if (!isOver(seconds, input)) return { allowed: true };`,
        instead: `if (step === 'drain' || !isOver(seconds, input)) return { allowed: true };`,
      },
    ],
    tests: ['test/shared/dialects/capi/gates.test.ts', 'test/functions/deadlines.test.ts'],
  },
  {
    number: 15,
    from: 'gardener/machine-controller-manager 563',
    mistake: 'The time of a step is counted from an older start, and is over as it begins.',
    file: 'shared/phase/transitions.ts',
    edits: [
      {
        text: `began === undefined ? { since: timestamp(now) }`,
        instead: `began === undefined ? { since: checkpoint.since }`,
      },
    ],
    tests: ['test/shared/phase/transitions.test.ts'],
  },
];
