import type { Reason } from './reason.ts';

/** Absent in one way or in another. */
export const noneOrUndefined: readonly Reason[] = [
  {
    because: 'a field that is undefined is as good as none',
    changes: [
      [
        'shared/dialects/capi/status.ts',
        "if (name === undefined || textAt(before, 'nodeRef', 'name') !== undefined) return {};",
        'name === undefined',
        'false',
      ],
      [
        'shared/machine/machine.ts',
        'nodeName === undefined ? machine : { ...machine, nodeName };',
        'nodeName === undefined',
        'false',
      ],
      [
        'shared/observe/recheck.ts',
        "...(awaited === undefined ? {} : { 'volume-detach': awaited })",
        'awaited === undefined',
        'false',
      ],
      [
        'shared/kubernetes/errors.ts',
        'const later = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };',
        'retryAfterSeconds === undefined',
        'false',
      ],
    ],
  },
  {
    because: 'nothing is known by the name undefined, or by one that nobody has',
    changes: [
      [
        'shared/phase/drain-requeue.ts',
        'return name === undefined ? undefined : budgetKey',
        'name === undefined',
        'false',
      ],
      ['shared/phase/drain-requeue.ts', 'const isShared = key !== undefined', 'key !== undefined', 'true'],
      [
        'shared/drain/backoff.ts',
        "budgetKey(record.namespace, record.lastRefusal?.budget ?? '')",
        "''",
        '"Stryker was here!"',
      ],
      [
        'shared/drain/backoff.ts',
        'record.lastRefusal?.budget === undefined ? undefined : inputs.budgets.get(key);',
        'record.lastRefusal?.budget === undefined',
        'false',
      ],
      [
        'shared/observe/drain.ts',
        'if (nodeName === undefined) return false;',
        'nodeName === undefined',
        'false',
      ],
      [
        'shared/phase/next-phase.ts',
        'const start = from === undefined ? 0 : dialect.phases.indexOf(from) + 1;',
        'from === undefined',
        'false',
      ],
      [
        'shared/kubernetes/label-selector.ts',
        'const isAmong = value !== undefined && values.includes(value);',
        'value !== undefined',
        'true',
      ],
      ['shared/store/in-memory.ts', 'this.#shelves.get(name)?.keys() ?? []', '[]', '["Stryker was here"]'],
    ],
  },
  {
    because: 'no time is neither before another nor after it',
    changes: [
      [
        'shared/dialects/capi/ready.ts',
        'since !== undefined && now - since > milliseconds;',
        'since !== undefined',
        'true',
      ],
      [
        'shared/drain/filters.ts',
        'if (!unreachable || deletionTimestamp === undefined) return pass;',
        'deletionTimestamp === undefined',
        'false',
      ],
    ],
  },
];
