import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type BlockedEntry,
  type BlockedPod,
  type BlockedRules,
  blockedField,
  rulingFor,
} from '../../../shared/blocked/entry.ts';

const entries = (...given: object[]): BlockedEntry[] =>
  blockedField.parse(
    given.map((each) => ({ cause: 'BudgetNeverAllows', after: '10m', action: 'Delete', ...each })),
  );

const aPod: BlockedPod = {
  labels: { app: 'web' },
  namespaceLabels: { tier: 'gold' },
  lasting: { cause: 'BudgetNeverAllows', since: 0 },
};

describe('an entry', () => {
  it('is for all Pods, and restarts one replica at most, where it says no more', () => {
    const [entry] = blockedField.parse([
      { cause: 'MultipleBudgets', after: '90s', action: 'RolloutRestart' },
    ]);
    expect(entry).toEqual({
      cause: 'MultipleBudgets',
      after: 90,
      pods: {},
      action: 'RolloutRestart',
      maxReplicas: 1,
    });
  });

  it.each([
    ['a cause that is only for a moment', { cause: 'Throttled' }],
    ["an operator's budget", { cause: 'BudgetHeldByOperator' }],
    ['another action', { action: 'Force' }],
    ['no time', { after: 'soon' }],
    ['no replicas', { maxReplicas: 0 }],
  ])('cannot be read with %s', (_what, more) => {
    expect(() => entries(more)).toThrow(z.ZodError);
  });
});

const rules = (name: string, ...given: object[]): BlockedRules => ({ name, entries: entries(...given) });
const notWeb = { pods: { selector: { matchLabels: { app: 'db' } } } };
const gold = { pods: { namespaceSelector: { matchLabels: { tier: 'gold' } } } };
const unclear = { pods: { selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } } };

describe('for a Pod decides', () => {
  it.each<[string, BlockedRules[], Partial<BlockedPod>, [string, number] | undefined]>([
    [
      'the first policy with an entry that fits',
      [rules('a', notWeb), rules('b', {}), rules('c', {})],
      {},
      ['b', 600],
    ],
    ['the first entry that fits', [rules('a', notWeb, { after: '1m' }, { after: '2m' })], {}, ['a', 60]],
    ['none for another cause', [rules('a', { cause: 'MultipleBudgets' })], {}, undefined],
    ['none without policies', [], {}, undefined],
    ['the labels of its namespace', [rules('a', gold)], {}, ['a', 600]],
    ['none of another namespace', [rules('a', gold)], { namespaceLabels: {} }, undefined],
    [
      'none while labels of its namespace are not read',
      [rules('a', gold), rules('b', {})],
      { namespaceLabels: undefined },
      undefined,
    ],
    [
      'an entry that asks for no namespace all the same',
      [rules('a', {})],
      { namespaceLabels: undefined },
      ['a', 600],
    ],
    ['none behind a selector that cannot be read', [rules('a', unclear), rules('b', {})], {}, undefined],
  ])('%s', (_what, given, more, wanted) => {
    const ruling = rulingFor(given, { ...aPod, ...more });
    expect(ruling && [ruling.policy, ruling.entry.after]).toEqual(wanted);
  });
});
