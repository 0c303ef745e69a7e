import { describe, expect, test } from 'vitest';
import { hookStatusOf, type SeenOfHook } from '../../../shared/hooks/status.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { aDeletionHook } from '../../builders/asked.ts';

const now = Date.parse('2026-11-27T12:00:00Z');

const seen = (parts: Partial<SeenOfHook> = {}): SeenOfHook => ({
  machines: 3,
  asks: true,
  whyNot: [],
  waiting: 1,
  heldUp: 0,
  hasKey: true,
  ...parts,
});

const invalid = { machines: [{ selector: { matchExpressions: [{ key: 'pool', operator: 'Is' }] } }] };
const noHooks = 'Machines of v1alpha1 have no hooks';

/** `Ready` with its reason, and its message. */
function readyOf(object: KubeObject, parts: Partial<SeenOfHook> = {}): string[] {
  const ready = hookStatusOf(object, seen(parts), now).conditions[0];
  return [`${ready?.type} ${ready?.status} ${ready?.reason}`, ready?.message ?? ''];
}

describe('Ready says', () => {
  test.each<[what: string, object: KubeObject, parts: Partial<SeenOfHook>, expected: string[]]>([
    [
      'where its function is asked',
      aDeletionHook('a', { at: 'PreTerminate' }),
      {},
      ['Ready True Asks', 'its function is asked at PreTerminate'],
    ],
    [
      'that nothing is asked for any Machine that it selects, and why',
      aDeletionHook(),
      { asks: false, whyNot: [noHooks] },
      ['Ready False AsksNothing', `nothing is asked: ${noHooks}`],
    ],
    [
      'that nothing is asked for some of them',
      aDeletionHook(),
      { whyNot: [noHooks] },
      ['Ready True Asks', `its function is asked at PreDrain, but not for all that it selects: ${noHooks}`],
    ],
    [
      'that there is no key',
      aDeletionHook(),
      { hasKey: false },
      [
        'Ready False NoKey',
        'there is no key for their tokens: PHASEOUT_HOOK_KEY names the Secret that should have it',
      ],
    ],
    [
      'which selector is invalid',
      aDeletionHook('move-data', invalid),
      {},
      [
        'Ready False Unclear',
        'invalid selectors in DeletionHook move-data: spec.machines[0].selector: Invalid value: {"matchExpressions":[{"key":"pool","operator":"Is"}]}: "Is" is not a valid label selector operator: it holds the Machines that it may be for',
      ],
    ],
    [
      'what cannot be read',
      aDeletionHook('move-data', { every: 'often' }),
      {},
      [
        'Ready False Unclear',
        'DeletionHook move-data cannot be read: spec.every: is no duration: it holds the Machines that it may be for',
      ],
    ],
    [
      'that others set the hook',
      aDeletionHook('etcd', { setBy: 'Others', hook: 'EtcdQuorumOperator' }),
      {},
      ['Ready True Describes', 'no function is asked: EtcdQuorumOperator is set by others'],
    ],
  ])('%s', (_what, object, parts, expected) => {
    expect(readyOf(object, parts)).toEqual(expected);
  });
});

test('how many Machines it selects, how many wait, and how many are held up', () => {
  const object = aDeletionHook();
  object.metadata.generation = 4;
  expect(hookStatusOf(object, seen({ heldUp: 1 }), now)).toEqual({
    machines: 3,
    waiting: 1,
    heldUp: 1,
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'Asks',
        message: 'its function is asked at PreDrain',
        lastTransitionTime: '2026-11-27T12:00:00Z',
        observedGeneration: 4,
      },
    ],
  });
});

test('where the labels of Clusters decide no Machine is counted', () => {
  const machines = [{ clusterSelector: { matchLabels: { env: 'prod' } } }];
  expect(hookStatusOf(aDeletionHook('a', { machines }), seen(), now)).not.toHaveProperty('machines');
});

describe('a status that it has', () => {
  const written = { ...aDeletionHook(), status: hookStatusOf(aDeletionHook(), seen(), now) };

  test('is the same however much later', () => {
    expect(hookStatusOf(written, seen(), now + 86_400_000)).toEqual(written.status);
  });

  test('keeps the time of its condition where only the reason changes', () => {
    const later = hookStatusOf(written, seen({ whyNot: [noHooks] }), now + 60_000);
    expect(later.conditions[0]?.lastTransitionTime).toBe('2026-11-27T12:00:00Z');
  });

  test('gets a new time where the condition changes', () => {
    const later = hookStatusOf(written, seen({ hasKey: false }), now + 60_000);
    expect(later.conditions[0]?.lastTransitionTime).toBe('2026-11-27T12:01:00Z');
  });
});
