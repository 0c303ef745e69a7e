import type { Reason } from './reason.ts';

/** What has a reason of its own. */
export const singleReasons: readonly Reason[] = [
  {
    because: 'the number of undefined is none either',
    changes: [
      [
        'shared/drain/eviction-answer.ts',
        'const fromHeader = header === null || header === undefined',
        'header === undefined',
        'false',
      ],
    ],
  },
  {
    because: 'nobody asks for the newest answer of no budget',
    changes: [
      ['shared/drain/message.ts', 'if (budget !== undefined && at >', 'budget !== undefined', 'true'],
    ],
  },
  {
    because: 'no answer is kept under no budget',
    changes: [
      [
        'shared/drain/message.ts',
        'const other = refusal.budget === undefined',
        'refusal.budget === undefined',
        'false',
      ],
    ],
  },
  {
    because: 'of two answers of one time each stands for its own Pod',
    changes: [
      [
        'shared/drain/message.ts',
        'if (budget !== undefined && at >',
        'at > (newest.get(budget)?.at ?? -1)',
        'at >= (newest.get(budget)?.at ?? -1)',
      ],
    ],
  },
  {
    because: 'no other answer has a cause',
    changes: [
      ['shared/drain/budget-cause.ts', "answer.kind === 'refused' &&", "answer.kind === 'refused'", 'true'],
    ],
  },
  {
    because: 'a delete that was accepted has neither reason nor message',
    changes: [
      [
        'shared/phase/server.ts',
        "const why = asked.kind === 'failed' ? failureText(asked) : undefined;",
        "asked.kind === 'failed'",
        'true',
      ],
    ],
  },
  {
    because: 'an answer that cannot be used has no value',
    changes: [
      [
        'shared/actuator/read-answer.ts',
        "errorAnswerSchema.safeParse(body.kind === 'read' ? body.value : undefined)",
        "body.kind === 'read'",
        'true',
      ],
    ],
  },
  {
    because: 'exclusions were asked before, and all other steps are judged as the wait for volumes is',
    changes: [
      [
        'shared/observe/volume-detach.ts',
        "const gate = await observeGate(snapshot, subject, 'volume-detach');",
        "'volume-detach'",
        '""',
      ],
    ],
  },
  {
    because: 'counting the characters of a short message tells the same, only later',
    changes: [
      [
        'shared/dialects/conditions.ts',
        'if (message.length <= maxCharacters) return message;',
        'message.length <= maxCharacters',
        'false',
      ],
      [
        'shared/dialects/conditions.ts',
        'if (message.length <= maxCharacters) return message;',
        'message.length <= maxCharacters',
        'message.length < maxCharacters',
      ],
    ],
  },
  {
    because: 'a Machine in its first phase has a Node that may be touched either way',
    changes: [
      [
        'shared/machine/checkpoint.ts',
        "if (isPast(checkpoint, 'pre-drain') && passing(",
        "'pre-drain'",
        '""',
      ],
    ],
  },
  {
    because: 'a plan reads the Machine by its name, and takes the UID from it',
    changes: [
      ['shared/assess/assess.ts', "const ref = { ...wanted, uid: '' };", "''", '"Stryker was here!"'],
    ],
  },
  {
    because: 'no rule is asked where an earlier filter decides every Pod',
    changes: [
      [
        'shared/observe/pods.ts',
        'return judgePods(found, { ...context, rules: [], namespaces: undefined });',
        '[]',
        '["Stryker was here"]',
      ],
    ],
  },
  {
    because: "the errors of a budget's selector are shown to nobody",
    changes: [
      [
        'shared/drain/preview.ts',
        "parseSelector(budget.spec?.selector, 'spec.selector')",
        "'spec.selector'",
        '""',
      ],
    ],
  },
  {
    because: 'a sign that is not the first character stays in what is left, which is no duration then',
    changes: [['shared/time/duration.ts', 'const sign = /^[-+]/.exec(text)?.[0];', '/^[-+]/', '/[-+]/']],
  },
  {
    because: 'what has no unit has no number either',
    changes: [
      [
        'shared/time/duration.ts',
        "if (nanoseconds === undefined || whole + fraction === '') return undefined;",
        'nanoseconds === undefined',
        'false',
      ],
    ],
  },
  {
    because: 'whoever reads it asks for the other kinds, and takes this one for what is left',
    changes: [['shared/drain/rules.ts', "return { kind: 'for others' };", "{ kind: 'for others' }", '{}']],
  },
  {
    because: 'an eviction whose rest ends now is 20 s ago, and was left out',
    changes: [
      [
        'shared/drain/recreated-pods.ts',
        '.filter(([, end]) => end > inputs.now)',
        'end > inputs.now',
        'end >= inputs.now',
      ],
    ],
  },
];
