import { describe, expect, test } from 'vitest';
import { observeGate } from '../../../shared/observe/gate.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { after, timeAfter } from '../../builders/cluster-api.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld } from '../../builders/world.ts';

describe('what closes the gate', () => {
  test('is said with its reason', async () => {
    const { env } = aWorld();
    const subject = aSubject({ nodeDeletion: { allowed: false, why: 'noderef is nil' } });
    expect(await observeGate(openSnapshot(env, subject), subject, 'drain')).toEqual({
      allowed: false,
      passing: 'not-applicable',
      why: 'noderef is nil',
    });
  });

  test('without the infrastructure does not ask for it', async () => {
    const world = aWorld();
    const subject = aSubject({ machine: { drainTimeoutSeconds: 5 } });
    expect(await observeGate(openSnapshot(world.env, subject), subject, 'drain')).toMatchObject({
      passing: 'timed-out',
    });
    expect(world.management.reads).toEqual([]);
  });

  test.each([
    ['will do as it was a moment ago', {}, undefined],
    [
      'is read again where another instance may have seen it go, and has passed the drain so',
      { drain: { as: 'not-applicable', since: timeAfter(1) } },
      'not-applicable',
    ],
  ] as const)('the infrastructure %s', async (_what, passed, passing) => {
    const { env, management } = aWorld();
    await observeGate(openSnapshot(env, aSubject()), aSubject(), 'drain');
    management.change('servers/default/m-1', { metadata: { deletionTimestamp: timeAfter(5) } });
    const subject = aSubject({ phase: 'volume-detach', checkpoint: { passed } });
    expect((await observeGate(openSnapshot(env, subject), subject, 'volume-detach'))?.passing).toBe(passing);
  });

  /** The drain has thirty seconds. */
  test.each([
    ['was not over when the look began, however long that takes', 20, 60, undefined],
    ['is over by a clock that was ahead when the look began, and is right by now', 60, 20, undefined],
    ['was over when the look began', 40, 60, 'timed-out'],
  ])('a time limit: it %s', async (_what, beganAfter, isAfter, passing) => {
    const { env, time } = aWorld();
    const subject = aSubject({ machine: { drainTimeoutSeconds: 30 }, checkpoint: { since: timeAfter(0) } });
    const snapshot = openSnapshot(env, subject, { beganAt: after(beganAfter) });
    time.now = after(isAfter);
    expect((await observeGate(snapshot, subject, 'drain'))?.passing).toBe(passing);
  });
});
