import type { Exhibit } from '../exhibit.ts';

/** Which Pods are evicted, left alone or waited for. */
export const pods: readonly Exhibit[] = [
  {
    number: 4,
    from: 'kubernetes-sigs/cluster-api 12920',
    mistake:
      'A Pod whose completion is waited for has succeeded, and is waited for until its object is gone.',
    file: 'shared/drain/plan.ts',
    edits: [
      {
        text: `sorted.filter((verdict) => verdict.behavior !== 'Skip' && !hasCompleted(verdict));`,
        instead: `sorted.filter((verdict) => verdict.behavior !== 'Skip');`,
      },
    ],
    tests: ['test/shared/drain/plan.test.ts'],
  },
  {
    number: 5,
    from: 'kubernetes-sigs/cluster-api 13508',
    mistake: 'Pods that nobody can stop, on a Node that nobody hears from, hold the drain up for ever.',
    file: 'shared/drain/filters.ts',
    edits: [
      {
        text: `  deletedFilter,
  daemonSetFilter,
`,
        instead: `  daemonSetFilter,
`,
      },
    ],
    tests: ['test/shared/drain/classify.test.ts'],
  },
  {
    number: 7,
    from: 'kubernetes-sigs/cluster-api 12640',
    mistake: 'A DaemonSet makes a failed Pod anew under another name, and it is evicted as fast as it comes.',
    file: 'shared/drain/recreated-pods.ts',
    edits: [
      {
        text: `return name === metadata.name || (typeof prefix === 'string' && prefix !== '' && name.startsWith(prefix));`,
        instead: `return name === metadata.name || (typeof prefix === 'string' && name === prefix);`,
      },
    ],
    tests: ['test/shared/drain/recreated-pods.test.ts', 'test/functions/returned-pods.test.ts'],
  },
  {
    number: 9,
    from: 'kubernetes-sigs/cluster-api 6894',
    mistake:
      'Pods that tolerate the cordon come back, and each is watched for and evicted at once, again and again.',
    file: 'shared/phase/drain-requeue.ts',
    edits: [
      {
        text: `const awaited = leaving.filter((pod) => !isBack(pod));`,
        instead: `const awaited = leaving;`,
      },
    ],
    tests: ['test/functions/returned-pods.test.ts'],
  },
  {
    number: 28,
    from: 'NVIDIA/NVSentinel 1847',
    mistake: 'Pods that are terminating already are evicted again at every snapshot.',
    file: 'shared/drain/plan.ts',
    edits: [
      {
        text: `return isTerminating(pod) || outcome === 'accepted' || outcome === 'gone';`,
        instead: `return outcome === 'accepted' || outcome === 'gone';`,
      },
    ],
    tests: ['test/shared/drain/plan.test.ts'],
  },
  {
    number: 32,
    from: 'kubernetes-sigs/cluster-api, its drain',
    mistake:
      'A DaemonSet that could not be read is taken for one that does not exist, and its Pod is evicted.',
    file: 'shared/observe/pods.ts',
    edits: [
      {
        text: `      const exists = await snapshot.exists(
        'workload',
        daemonSets,
        { namespace, name },
        daemonSetAgeMilliseconds,
      );`,
        instead: `      const exists = await snapshot
        .exists('workload', daemonSets, { namespace, name }, daemonSetAgeMilliseconds)
        .catch(() => false);`,
      },
    ],
    tests: ['test/shared/observe/pods.test.ts', 'test/functions/observe.test.ts'],
  },
];
