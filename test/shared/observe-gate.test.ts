import { describe, expect, test } from 'vitest';
import { observeGate } from '../../shared/observe-gate.ts';
import { lookAt } from '../../shared/runtime/turn.ts';
import { aSubject } from '../builders/subject.ts';
import { aWorld } from '../builders/world.ts';

describe('what closes the gate', () => {
  test('is said with its reason', async () => {
    const { env } = aWorld();
    const subject = aSubject({ nodeDeletion: { allowed: false, why: 'noderef is nil' } });
    expect(await observeGate(lookAt(env, subject), subject, 'drain')).toEqual({
      allowed: false,
      passing: 'not-applicable',
      why: 'noderef is nil',
    });
  });

  test('without the infrastructure does not ask for it', async () => {
    const world = aWorld();
    const subject = aSubject({ machine: { drainTimeoutSeconds: 5 } });
    expect(await observeGate(lookAt(world.env, subject), subject, 'drain')).toMatchObject({
      passing: 'timed-out',
    });
    expect(world.management.reads).toEqual([]);
  });
});
