import type { Reason } from './reason.ts';

/** What comes out the same, by the way in which the values are used. */
export const sameOutcome: readonly Reason[] = [
  {
    because: 'there are two sides, and what is not of the management cluster is of the workload cluster',
    changes: [
      [
        'shared/observe/control-plane.ts',
        "snapshot.list('workload', resource, selection),",
        "'workload'",
        '""',
      ],
      [
        'shared/observe/drain.ts',
        "await snapshot.get('workload', podDisruptionBudgets, {",
        "'workload'",
        '""',
      ],
      ['shared/observe/pods.ts', "await snapshot.list('workload', pods, {", "'workload'", '""'],
    ],
  },
  {
    because: 'what closes the step, beside the infrastructure, was asked before that was read',
    changes: [
      [
        'shared/observe/volume-detach.ts',
        "const gate = seen.kind === 'unjudged' ? await observeGate(snapshot, subject, 'volume-detach') : undefined;",
        "'volume-detach'",
        '""',
      ],
      [
        'shared/observe/drain.ts',
        "const gate = await observeGate(snapshot, subject, 'drain');",
        "'drain'",
        '""',
      ],
    ],
  },
  {
    because: 'what closes the drain, beside the infrastructure, is asked again when its Pods are looked for',
    changes: [
      [
        'shared/observe/node-in-use.ts',
        "const draining = { ...subject, checkpoint: retreated(subject.checkpoint, 'drain', snapshot.now()) };",
        "'drain'",
        '""',
      ],
    ],
  },
  {
    because: 'a drain that is open is on record',
    changes: [
      [
        'shared/observe/volume-detach.ts',
        "(subject.checkpoint.passed.drain?.as !== 'done' ||",
        'subject.checkpoint.passed.drain?.as',
        'subject.checkpoint.passed.drain.as',
      ],
    ],
  },
  {
    because: 'whether a Machine of OpenShift is paused stands on the Machine, and so is always known',
    changes: [
      [
        'shared/dialects/openshift/status.ts',
        'const { machine, paused = [] } = input;',
        '[]',
        '["Stryker was here"]',
      ],
    ],
  },
  {
    because: 'an entry that says nothing is as good as none',
    changes: [
      [
        'shared/dialects/capi/conditions-v1beta1.ts',
        'const conditions = node.status?.conditions ?? [];',
        '[]',
        '["Stryker was here"]',
      ],
      [
        'shared/drain/eviction-answer.ts',
        'const causesOf = (status: Status) => status.details?.causes ?? [];',
        '[]',
        '["Stryker was here"]',
      ],
      ['shared/kubernetes/objects.ts', '(spec?.volumes ?? []).flatMap(', '[]', '["Stryker was here"]'],
      ['shared/observe/attachments.ts', 'readAttachments(node, [])', '[]', '["Stryker was here"]'],
      [
        'shared/assess/subject.ts',
        'const leg = { phase: first, skipped: [] };',
        '[]',
        '["Stryker was here"]',
      ],
      ['shared/time/duration.ts', 'matcher.exec(text) ?? [];', '[]', '["Stryker was here"]'],
    ],
  },
  {
    because: 'an entry that asks for nothing matches everything, as no entry does',
    changes: [
      [
        'shared/drain/rules.ts',
        "pairsIn('machines', machines ?? [], 'clusterSelector')",
        '[]',
        '["Stryker was here"]',
      ],
      [
        'shared/drain/rules.ts',
        "pairsIn('pods', pods ?? [], 'namespaceSelector')",
        '[]',
        '["Stryker was here"]',
      ],
      ['shared/drain/rules.ts', 'asksForNamespace: (pods ?? [])', '[]', '["Stryker was here"]'],
    ],
  },
  {
    because: 'what it is looked up in, or compared with, has that text as little as none',
    changes: [
      ['shared/dialects/capi/ready.ts', "delaysIn(deleting.message ?? '')", "''", '"Stryker was here!"'],
      ['shared/dialects/capi/read.ts', "schemas.get(raw.apiVersion ?? '')", "''", '"Stryker was here!"'],
      ['shared/dialects/capi/conditions-v1beta1.ts', "indexOf(severity ?? '')", "''", '"Stryker was here!"'],
      [
        'shared/dialects/capi/ready.ts',
        "expectedReasons.includes(reason ?? '')",
        "''",
        '"Stryker was here!"',
      ],
      [
        'shared/dialects/shown-reason.ts',
        "messageOf(conditionOf[phase] ?? '', 'False') ?? ''",
        "''",
        '"Stryker was here!"',
      ],
      ['shared/drain/eviction-answer.ts', ".test(status.message ?? '')", "''", '"Stryker was here!"'],
      ['shared/machine/trace-context.ts', "parts.exec(traceparent ?? '')", "''", '"Stryker was here!"'],
      [
        'shared/time/duration.ts',
        "const [, whole = '', fraction = '', unit = '']",
        "''",
        '"Stryker was here!"',
      ],
    ],
  },
  {
    because: 'both of them are the same here',
    changes: [
      [
        'shared/time/clock.ts',
        'left > longestTimer ? wait(left - longestTimer) : run()',
        'left > longestTimer',
        'left >= longestTimer',
      ],
      [
        'shared/time/duration.ts',
        'return Number(seconds > largestSeconds',
        'seconds > largestSeconds',
        'seconds >= largestSeconds',
      ],
      [
        'shared/dialects/capi/gates.ts',
        'return seconds < 0 || (startedAt !== undefined && now - startedAt',
        'seconds < 0',
        'seconds <= 0',
      ],
      ['shared/machine/machine.ts', 'id', 'id .toLowerCase()', 'id.toUpperCase()'],
    ],
  },
  {
    because: 'a plan asks of the phases that it comes through only where it goes on from, and since when',
    changes: [
      ['shared/assess/subject.ts', 'const leg = { phase, skipped: [] };', '[]', '["Stryker was here"]'],
    ],
  },
];
