import { expect, it } from 'vitest';
import type { BlockedAction } from '../../../shared/blocked/entry.ts';
import { policyStatusOf } from '../../../shared/policies/status.ts';

const now = Date.parse('2026-01-01T10:00:00Z');

function conditionsOf(actions: readonly BlockedAction[], granted: readonly BlockedAction[]) {
  const blocked = actions.map((action) => ({ cause: 'MultipleBudgets', after: '1m', action }));
  const object = { metadata: { name: 'workers', namespace: 'fleet', uid: 'u' }, spec: { blocked } };
  const seen = { selected: 0, counting: [], waiting: 0, gone: new Set<string>(), granted: new Set(granted) };
  return policyStatusOf(object, seen, now)
    .conditions.filter(({ type }) => type === 'ActionsGranted')
    .map(({ status, reason, message }) => [status, reason, message]);
}

it.each<[string, BlockedAction[], BlockedAction[], string[][]]>([
  ['none, where it asks for no action', [], [], []],
  [
    'that all is granted',
    ['Delete'],
    ['Delete', 'RolloutRestart'],
    [['True', 'Granted', 'PHASEOUT_ACTIONS has all that it asks for']],
  ],
  [
    'what is not granted',
    ['Delete', 'RolloutRestart'],
    ['RolloutRestart'],
    [['False', 'NotGranted', 'PHASEOUT_ACTIONS does not have delete: deploy --actions grants it']],
  ],
])('the status of a DrainPolicy says %s', (_what, actions, granted, conditions) => {
  expect(conditionsOf(actions, granted)).toEqual(conditions);
});
