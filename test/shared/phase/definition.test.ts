import { expect, test } from 'vitest';
import { phaseStart } from '../../../shared/phase/definition.ts';
import { aCheckpoint, after, aMachine, timeAfter } from '../../builders/cluster-api.ts';
import { aSubject } from '../../builders/subject.ts';

test.each([
  ['when its checkpoint says', 9, 9],
  ['with the deletion, where a clock was behind', -7_200, 0],
])('a phase began %s', (_when, since, began) => {
  const checkpoint = aCheckpoint({ since: timeAfter(since) });
  expect(phaseStart(aSubject({ checkpoint }))).toBe(after(began));
});

test('a phase of a Machine that nobody deletes began when its checkpoint says', () => {
  const { deletionTimestamp: _, ...machine } = aMachine();
  const checkpoint = aCheckpoint({ since: timeAfter(-7_200) });
  const { machine: _deleted, ...others } = aSubject({ checkpoint });
  expect(phaseStart({ ...others, machine })).toBe(after(-7_200));
});
