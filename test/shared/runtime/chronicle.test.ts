import { expect, test } from 'vitest';
import { emptyChronicle, record } from '../../../shared/runtime/chronicle.ts';
import { StoreUnavailable } from '../../../shared/store/port.ts';
import { aWorld } from '../../builders/world.ts';
import { aSubject } from '../../builders/subject.ts';

const standing = { phase: 'infrastructure', seq: 4 } as const;
const passed = {
  ...standing,
  what: 'advanced',
  reason: 'done',
  message: 'the instance has been deleted',
} as const;
const waited = { ...standing, what: 'waited', reason: 'InternalError', message: 'nobody answers' } as const;

test('what two instances have done in the same millisecond is all in the history', async () => {
  const { env } = aWorld();
  const subject = aSubject();
  await record({ ...env, instance: 'one' }, subject, { ...emptyChronicle(), history: [waited] });
  await record({ ...env, instance: 'two' }, subject, { ...emptyChronicle(), history: [waited, passed] });
  const kept = await env.store.history(subject.machine.ref.uid);
  expect(kept.map(({ by, what }) => `${by} ${what}`).toSorted()).toEqual([
    'one waited',
    'two advanced',
    'two waited',
  ]);
});

test('what one instance has done in the same millisecond in two steps is in the history', async () => {
  const { env } = aWorld();
  const subject = aSubject();
  await record(env, subject, { ...emptyChronicle(), history: [waited] });
  await record(env, subject, { ...emptyChronicle(), history: [passed] });
  const kept = await env.store.history(subject.machine.ref.uid);
  expect(kept.map(({ what }) => what).toSorted()).toEqual(['advanced', 'waited']);
});

test('what is in the history is not written there again', async () => {
  const { env } = aWorld();
  const subject = aSubject();
  const chronicle = { ...emptyChronicle(), history: [waited] };
  await record(env, subject, chronicle);
  await record(env, subject, chronicle);
  expect(await env.store.history(subject.machine.ref.uid)).toHaveLength(1);
});

test('what could not be written is written the next time', async () => {
  const { env } = aWorld();
  const subject = aSubject();
  const chronicle = { ...emptyChronicle(), history: [waited] };
  const down = { ...env.store, appendHistory: () => Promise.reject(new StoreUnavailable('down')) };
  await expect(record({ ...env, store: down }, subject, chronicle)).rejects.toThrow('down');
  await record(env, subject, chronicle);
  expect(await env.store.history(subject.machine.ref.uid)).toHaveLength(1);
});

test('a step of which nothing is to be said leaves no entry', async () => {
  const { env, log } = aWorld();
  await record(env, aSubject(), emptyChronicle());
  expect(log).toEqual([]);
});
