import type { Exhibit } from '../exhibit.ts';

/** One Node of the control plane at a time, and what the Machine says of its drain. */
export const controlPlane: readonly Exhibit[] = [
  {
    number: 20,
    from: 'openshift/machine-api-operator 1066',
    mistake:
      'Two Nodes of the control plane are drained together, and the budgets of each wait for the other.',
    file: 'shared/dialects/openshift/index.ts',
    edits: [
      {
        text: `cordonsOneControlPlaneNodeAtATime: true,`,
        instead: `cordonsOneControlPlaneNodeAtATime: false,`,
      },
    ],
    tests: ['test/functions/control-plane-drain.test.ts'],
  },
  {
    number: 21,
    from: 'openshift/machine-api-operator 1476',
    mistake:
      'Whether a control plane Node may be drained is asked before the lock, and another one is cordoned meanwhile.',
    file: 'shared/reconcile/cordon.ts',
    edits: [
      {
        text: `    const other = cordonedOther(await listControlPlane(api), effect.uid);
    if (other !== undefined || !lease.isHeld()) throw new Unavailable(notPermitted);`,
        instead: `    if (!lease.isHeld()) throw new Unavailable(notPermitted);`,
      },
    ],
    tests: ['test/shared/reconcile/cordon.test.ts'],
  },
  {
    number: 22,
    from: 'openshift/machine-api-operator, its drain controller',
    mistake: 'Drained=False is worked out and never written.',
    file: 'shared/dialects/openshift/conditions.ts',
    edits: [
      {
        text: `return { ...wanted, isError: report.error !== undefined };`,
        instead: `return undefined;`,
      },
    ],
    tests: ['test/shared/dialects/openshift/status.test.ts'],
  },
];
