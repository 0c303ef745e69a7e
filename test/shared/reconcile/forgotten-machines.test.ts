import { describe, expect, test } from 'vitest';
import { emptyJournal, newStep } from '../../../shared/reconcile/step.ts';
import { requeue } from '../../../shared/reconcile/wait.ts';
import { Relisting } from '../../../shared/wake-ups/relisting.ts';
import { clockOf } from '../../builders/clock.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld } from '../../builders/world.ts';

/** More than may be remembered by one. */
const uids = Array.from({ length: 5_001 }, (_, number) => `uid-${number}`);

describe('of more than 5000 Machines of the first it is not known any more', () => {
  // An instance may live for months, and a fleet replace its Machines every day.
  test('when it was looked at since an API has forgotten what has changed', () => {
    const relisting = new Relisting(clockOf(() => 0));
    for (const uid of uids) relisting.inTurn(uid, () => undefined);
    const looked: string[] = [];
    for (const uid of ['uid-1', 'uid-0']) relisting.inTurn(uid, () => void looked.push(uid));
    expect(looked).toEqual(['uid-0']);
  });

  test('which look was set', async () => {
    const { env } = aWorld();
    for (const uid of uids) {
      const { machine, ...others } = aSubject();
      const subject = { ...others, machine: { ...machine, ref: { ...machine.ref, uid } } };
      const arrived = { subject, isSaved: true, unusable: undefined, age: () => 0 };
      const step = newStep(env, arrived, emptyJournal());
      await requeue(step, { machine: subject.machine.ref, at: env.clock.now() + 1_000, failures: 0 });
    }
    const isKnown = (uid: string): boolean => env.cache.notes(uid).requeue !== undefined;
    expect(['uid-5000', 'uid-1', 'uid-0'].map(isKnown)).toEqual([true, true, false]);
  });
});
