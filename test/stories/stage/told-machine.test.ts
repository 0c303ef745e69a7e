import { expect, test } from 'vitest';
import { saysDrained } from '../../simulation/invariants/sight/machine.ts';
import { isDrained } from '../../simulation/scenario/blockers/hooks.ts';
import { deletionTimeOf, isOfItself } from './told-machine.ts';

const metadata = { name: 'm-1', creationTimestamp: '2026-01-01T12:00:00Z' };
const before = '2026-01-01T11:59:59Z';

test.each<[string, string | undefined, boolean]>([
  ['says so itself', '2026-01-01T12:00:00Z', true],
  ['does not say when', undefined, true],
  ['has it from an earlier Machine', before, false],
])('a Machine %s', (_what, time, expected) => {
  expect(isOfItself({ metadata }, time)).toBe(expected);
  const deletion = time === undefined ? {} : { nodeDrainStartTime: time };
  expect(deletionTimeOf({ metadata, status: { deletion } }, 'nodeDrainStartTime')).toBe(
    expected ? time : undefined,
  );
  const drained = { type: 'Drained', status: 'True', lastTransitionTime: time };
  const machine = {
    apiVersion: 'machine.openshift.io/v1beta1',
    metadata,
    status: { conditions: [drained] },
  };
  expect(saysDrained(machine)).toBe(expected);
  expect(isDrained(machine)).toBe(expected);
});
