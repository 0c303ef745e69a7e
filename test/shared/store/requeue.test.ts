import { expect, test } from 'vitest';
import type { Requeue } from '../../../shared/store/port.ts';
import { oldestDue, soonest, takesThePlaceOf } from '../../../shared/store/requeue.ts';

const now = 1_000_000_000;

const aLook = (at: number, uid = 'uid-1'): Requeue => ({
  machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'default', name: uid, uid },
  at,
  failures: 0,
});

test.each<[what: string, look: number, scheduled: number, takesItsPlace: boolean]>([
  ['an earlier one', now + 1, now + 2, true],
  ['one for the same time', now + 2, now + 2, true],
  ['a later one, while the other is still to come', now + 3, now + 2, false],
  ['a later one, when the other is due by now', now + 3, now, true],
  ['a later one, when the other was due', now + 3, now - 1, true],
])('what takes the place of a look that is scheduled: %s', (_, at, scheduledAt, takesItsPlace) => {
  const [look, scheduled] = [aLook(at), aLook(scheduledAt)];
  expect(takesThePlaceOf(look, scheduled, now)).toBe(takesItsPlace);
  const isProvisional = true;
  const provisional = { ...scheduled, isProvisional };
  expect(takesThePlaceOf({ ...look, isProvisional }, provisional, now)).toBe(takesItsPlace);
});

test.each([1, 2, 3])('whatever is still to come takes the place of a provisional look: %s', (later) => {
  const provisional = { ...aLook(now + 2), isProvisional: true };
  expect(takesThePlaceOf(aLook(now + later), provisional, now)).toBe(true);
});

test.each([
  ['that is earlier', 1, false],
  ['for the same time', 2, false],
  ['that is later', 3, false],
  ['that is due', 0, true],
])('a provisional look and one %s', (_, scheduled, takesItsPlace) => {
  const provisional = { ...aLook(now + 2), isProvisional: true };
  expect(takesThePlaceOf(provisional, aLook(now + scheduled), now)).toBe(takesItsPlace);
});

test.each<[what: string, look: Partial<Requeue>, scheduled: Partial<Requeue>]>([
  ['an earlier one of the living Machine', { at: now + 20 }, { at: now + 10 }],
  ['a later one', { at: now + 20 }, { at: now + 300 }],
  ['one that was asked for, though it is provisional itself', { isProvisional: true }, {}],
])('a look of a deletion takes the place of %s, and never gives way to it', (_, look, scheduled) => {
  const ofDeletion = { ...aLook(now + 20), ...look, isOfDeletion: true };
  const ofLiving = { ...aLook(now + 20), ...scheduled };
  expect(takesThePlaceOf(ofDeletion, ofLiving, now)).toBe(true);
  expect(takesThePlaceOf(ofLiving, ofDeletion, now)).toBe(false);
});

test('a look is answered for seven days', () => {
  expect(oldestDue(now)).toBe(395_200_001);
});

test('the soonest come first, those of one time by UID, and no more than asked for', () => {
  const looks = [aLook(3, 'a'), aLook(2, 'c'), aLook(2, 'B'), aLook(2, 'b'), aLook(1, 'd')];
  expect(soonest(looks, 4).map(({ machine }) => machine.uid)).toEqual(['d', 'B', 'b', 'c']);
  expect(soonest(looks.toReversed(), 4).map(({ machine }) => machine.uid)).toEqual(['d', 'B', 'b', 'c']);
});
