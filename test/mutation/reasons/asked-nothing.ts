import type { Reason } from './reason.ts';

/** What no Machine API is asked, because it is another kind of API. */
export const askedNothing: readonly Reason[] = [
  {
    because: 'a Machine API is asked nothing about phases that it does not have',
    changes: [
      ['shared/dialects/openshift/index.ts', 'isVolumeWaitExcluded: () => false,', 'false', 'true'],
      ['shared/dialects/v1alpha1/index.ts', 'bypassedHooks: () => [],', '[]', '["Stryker was here"]'],
      ['shared/dialects/v1alpha1/index.ts', "hookMessage: () => '',", "''", '"Stryker was here!"'],
      ['shared/dialects/v1alpha1/index.ts', 'isDrainExcluded: () => false,', 'false', 'true'],
      ['shared/dialects/v1alpha1/index.ts', 'isVolumeWaitExcluded: () => false,', 'false', 'true'],
      ['shared/dialects/v1alpha1/index.ts', 'gate: () => ({ allowed: true }),', '{ allowed: true }', '{}'],
      ['shared/dialects/v1alpha1/index.ts', 'gate: () => ({ allowed: true }),', 'true', 'false'],
    ],
  },
  {
    because: 'where Machines refer to an object for their server no provider is asked, and none has answered',
    changes: [
      [
        'shared/observe/server.ts',
        "termination.by !== 'actuator' || termination.goneWhen === 'accepted'",
        "termination.by !== 'actuator'",
        'false',
      ],
      [
        'shared/phase/server.ts',
        "if (termination.by === 'actuator' && termination.goneWhen === 'accepted') return gone;",
        "termination.by === 'actuator'",
        'true',
      ],
      [
        'shared/phase/server.ts',
        "termination.by === 'actuator' && termination.forgives(machine, refusal);",
        "termination.by === 'actuator'",
        'true',
      ],
    ],
  },
  {
    because: 'every Machine API has phases',
    changes: [
      [
        'shared/assess/subject.ts',
        'if (first === undefined) throw new MachineUnreadable',
        'first === undefined',
        'false',
      ],
      [
        'shared/assess/subject.ts',
        'if (first === undefined) throw new MachineUnreadable',
        '`${dialect.name} has no phases`',
        '``',
      ],
    ],
  },
];
