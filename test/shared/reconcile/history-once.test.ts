import { expect, test } from 'vitest';
import { addHistory } from '../../../shared/reconcile/record.ts';
import { emptyJournal } from '../../../shared/reconcile/step.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld } from '../../builders/world.ts';

const standing = { phase: 'drain', seq: 1 } as const;

// The step that has recorded an entry may fail later. Then it records that entry again, with what it has to add by
// then.
test('of several entries that are in the history none is written there again, and what has come since is', async () => {
  const world = aWorld();
  const { env } = world;
  const subject = aSubject();
  const journal = emptyJournal();
  journal.history.push(
    { ...standing, what: 'acted', reason: 'DrainingNode', message: 'Evicting 1 of 1 Pods' },
    { ...standing, what: 'waited', reason: 'DrainingNode', message: 'one Pod is left' },
  );
  await addHistory(env, subject, journal);
  world.time.now += 1;
  journal.history.push({ ...standing, what: 'advanced', reason: 'done', message: 'no Pod is left' });
  await addHistory(env, subject, journal);
  const kept = await env.store.history(subject.machine.ref.uid);
  expect(kept.map(({ what }) => what).toSorted()).toEqual(['acted', 'advanced', 'waited']);
});
