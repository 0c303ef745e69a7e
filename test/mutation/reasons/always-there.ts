import type { Reason } from './reason.ts';

/** What only the types ask for: that it is there, or is what it is, something else makes sure of. */
export const alwaysThere: readonly Reason[] = [
  {
    because: 'what zod refuses has an issue with a path and a message; the type does not say so',
    changes: [
      [
        'shared/dialects/capi/control-plane.ts',
        "const field = ['spec', 'controlPlaneRef', ...(issue?.path ?? [])].join('.');",
        '[]',
        '["Stryker was here"]',
      ],
      [
        'shared/dialects/capi/control-plane.ts',
        "const field = ['spec', 'controlPlaneRef', ...(issue?.path ?? [])].join('.');",
        'issue?.path',
        'issue.path',
      ],
      [
        'shared/dialects/capi/control-plane.ts',
        "${field}: ${issue?.message ?? 'invalid'}",
        "'invalid'",
        '""',
      ],
      [
        'shared/dialects/capi/control-plane.ts',
        "${field}: ${issue?.message ?? 'invalid'}",
        'issue?.message',
        'issue.message',
      ],
      [
        'shared/dialects/parse-machine.ts',
        "${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}",
        "''",
        '"Stryker was here!"',
      ],
      [
        'shared/dialects/parse-machine.ts',
        "${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}",
        "'invalid'",
        '""',
      ],
      [
        'shared/dialects/parse-machine.ts',
        "${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}",
        'issue?.path',
        'issue.path',
      ],
      [
        'shared/dialects/parse-machine.ts',
        "${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}",
        'issue?.message',
        'issue.message',
      ],
      [
        'shared/machine/checkpoint.ts',
        "${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'invalid'}",
        "'invalid'",
        '""',
      ],
      [
        'shared/machine/checkpoint.ts',
        "${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'invalid'}",
        'issue?.path',
        'issue.path',
      ],
      [
        'shared/machine/checkpoint.ts',
        "${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'invalid'}",
        'issue?.message',
        'issue.message',
      ],
      [
        'shared/actuator/read-answer.ts',
        "${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'invalid'}",
        "'invalid'",
        '""',
      ],
      [
        'shared/actuator/read-answer.ts',
        "${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'invalid'}",
        'issue?.path',
        'issue.path',
      ],
      [
        'shared/actuator/read-answer.ts',
        "${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'invalid'}",
        'issue?.message',
        'issue.message',
      ],
    ],
  },
  {
    because: 'it is always there, which its type does not say',
    changes: [
      [
        'shared/dialects/capi/deletion-times.ts',
        'checkpoint.passed[phase]?.since',
        'checkpoint.passed[phase]?.since',
        'checkpoint.passed[phase].since',
      ],
      [
        'shared/actuator/read-answer.ts',
        "contentType?.split(';')[0]?.trim()",
        "contentType?.split(';')[0]?.trim",
        "contentType?.split(';')[0].trim",
      ],
      ['shared/plan/rows.ts', "if (answer?.kind !== 'refused') return [];", 'answer?.kind', 'answer.kind'],
      [
        'shared/kubernetes/label-selector.ts',
        'keys.map((key) => [key, matchLabels?.[key]])',
        'matchLabels?.[key]',
        'matchLabels[key]',
      ],
      [
        'shared/drain/budget-cause.ts',
        'return desiredHealthy > 0 && (status?.currentHealthy ?? 0)',
        'status?.currentHealthy',
        'status.currentHealthy',
      ],
    ],
  },
  {
    because: 'what is no text, or no number, fails the next check too; the type needs to be told',
    changes: [
      ['shared/drain/budget-cause.ts', "typeof value === 'string' &&", "typeof value === 'string'", 'true'],
      [
        'shared/drain/rules.ts',
        "return typeof order === 'number' && order === (order | 0)",
        "typeof order === 'number'",
        'true',
      ],
      [
        'shared/drain/recreated-pods.ts',
        "typeof prefix === 'string' && prefix !== ''",
        "typeof prefix === 'string'",
        'true',
      ],
      [
        'shared/dialects/capi/ready.ts',
        "return typeof time === 'string' ? Date.parse(time) : undefined;",
        "typeof time === 'string'",
        'true',
      ],
      [
        'shared/dialects/openshift/judgements.ts',
        "refusal.kind === 'failed' && refusal.reason ===",
        "refusal.kind === 'failed'",
        'true',
      ],
    ],
  },
];
