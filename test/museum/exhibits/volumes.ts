import type { Exhibit } from '../exhibit.ts';

/** A server never goes before its disks. */
export const volumes: readonly Exhibit[] = [
  {
    number: 1,
    from: 'kubernetes-sigs/cluster-api 8507',
    mistake:
      'The Node says that its volumes are off, VolumeAttachments say that some are not, and the server goes.',
    file: 'shared/observe/attachments.ts',
    edits: [
      {
        text: `return { reading: readAttachments(node, items), resourceVersion };`,
        instead: `return { reading: readAttachments(node, []), resourceVersion };`,
      },
    ],
    tests: ['test/functions/attached.test.ts', 'test/functions/volume-detach.test.ts'],
  },
  {
    number: 14,
    from: 'kubernetes-sigs/karpenter 2237',
    mistake:
      'The volumes of Pods that have to go are not waited for, and come off only minutes after their server ended.',
    file: 'shared/volumes/attached.ts',
    edits: [
      {
        text: `const skipped = verdicts.filter(({ behavior }) => behavior === 'Skip');`,
        instead: `const skipped = [...verdicts];`,
      },
    ],
    tests: ['test/shared/volumes/attached.test.ts'],
  },
  {
    number: 16,
    from: 'gardener/machine-controller-manager 468',
    mistake: 'With many volumes only a part of them is read, and the others count as detached.',
    file: 'shared/adapters/kubernetes/reads.ts',
    edits: [
      {
        text: `if (continueToken === '') return { kind: 'complete'`,
        instead: `if (items.length > 0 || continueToken === '') return { kind: 'complete'`,
      },
    ],
    tests: ['test/shared/adapters/kubernetes/list.test.ts'],
  },
];
