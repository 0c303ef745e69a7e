import { describe, expect, test } from 'vitest';
import { observeGate } from '../../../shared/observe/gate.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld } from '../../builders/world.ts';
import { after, timeAfter } from '../dialects/capi/machines.ts';

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
