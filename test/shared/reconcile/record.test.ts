import { describe, expect, test } from 'vitest';
import { addHistory } from '../../../shared/reconcile/record.ts';
import { emptyJournal, recordDecision } from '../../../shared/reconcile/step.ts';
import { StoreUnavailable } from '../../../shared/store/port.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld } from '../../builders/world.ts';

const standing = { phase: 'infrastructure', seq: 4 } as const;
const passed = {
  ...standing,
  what: 'advanced',
  reason: 'done',
  message: 'the instance has been deleted',
} as const;
const waited = { ...standing, what: 'waited', reason: 'InternalError', message: 'nobody answers' } as const;

test('what two instances have done in the same millisecond is all in the history', async () => {
  const world = aWorld();
  const { env } = world;
  const subject = aSubject();
  await addHistory({ ...env, instance: 'one' }, subject, { ...emptyJournal(), history: [waited] });
  await addHistory({ ...world.another(), instance: 'two' }, subject, {
    ...emptyJournal(),
    history: [waited, passed],
  });
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
  await addHistory(env, subject, { ...emptyJournal(), history: [waited] });
  await addHistory(env, subject, { ...emptyJournal(), history: [passed] });
  const kept = await env.store.history(subject.machine.ref.uid);
  expect(kept.map(({ what }) => what).toSorted()).toEqual(['advanced', 'waited']);
});

test('what is in the history is not written there again', async () => {
  const { env } = aWorld();
  const subject = aSubject();
  const chronicle = { ...emptyJournal(), history: [waited] };
  await addHistory(env, subject, chronicle);
  await addHistory(env, subject, chronicle);
  expect(await env.store.history(subject.machine.ref.uid)).toHaveLength(1);
});

test('what could not be written is written the next time', async () => {
  const { env } = aWorld();
  const subject = aSubject();
  const chronicle = { ...emptyJournal(), history: [waited] };
  const down = { ...env.store, appendHistory: () => Promise.reject(new StoreUnavailable('down')) };
  await expect(addHistory({ ...env, store: down }, subject, chronicle)).rejects.toThrow('down');
  await addHistory(env, subject, chronicle);
  expect(await env.store.history(subject.machine.ref.uid)).toHaveLength(1);
});

test('a step of which nothing is to be said leaves no entry', async () => {
  const { env, log } = aWorld();
  await addHistory(env, aSubject(), emptyJournal());
  expect(log).toEqual([]);
});

const evicting = {
  ...standing,
  what: 'acted',
  reason: 'DrainingNode',
  message: 'Evicting 1 of 1 Pods',
} as const;
const reset = (port: number) => ({ ...waited, error: `read tcp 10.0.0.5:${port}: reset` });

describe('an entry that says what the one before it says', () => {
  test.each<[string, steps: Parameters<typeof addHistory>[2]['history'][], messages: string[]]>([
    ['is not made in one step', [[evicting, evicting]], ['Evicting 1 of 1 Pods']],
    ['is not made in the next step', [[evicting], [evicting]], ['Evicting 1 of 1 Pods']],
    [
      'is made after another one',
      [[evicting], [waited, evicting]],
      ['Evicting 1 of 1 Pods', 'nobody answers', 'Evicting 1 of 1 Pods'],
    ],
    [
      'is made where the deletion stands elsewhere',
      [[evicting], [{ ...evicting, seq: 5 }]],
      ['Evicting 1 of 1 Pods', 'Evicting 1 of 1 Pods'],
    ],
    [
      'is not made where the same words are of something else',
      [[evicting], [{ ...evicting, what: 'waited' }]],
      ['Evicting 1 of 1 Pods'],
    ],
    [
      'is not made where an error has other numbers, and the error is in the first',
      [[reset(1)], [reset(2)], [{ ...waited, error: 'refused' }]],
      ['nobody answers: read tcp 10.0.0.5:1: reset', 'nobody answers: refused'],
    ],
    [
      'is made where there are other numbers and no error',
      [[evicting], [{ ...evicting, message: 'Evicting 1 of 2 Pods' }]],
      ['Evicting 1 of 1 Pods', 'Evicting 1 of 2 Pods'],
    ],
    [
      'names an error once',
      [[{ ...waited, message: 'in vain: refused', error: 'refused' }]],
      ['in vain: refused'],
    ],
  ])('%s', async (_what, steps, messages) => {
    const { env, time } = aWorld();
    const subject = aSubject();
    for (const history of steps) {
      await addHistory(env, subject, { ...emptyJournal(), history: [...history] });
      time.now += 1;
    }
    const kept = await env.store.history(subject.machine.ref.uid);
    expect(kept.map(({ message }) => message)).toEqual(messages);
  });

  test('is made of a Machine that a backup brings back', async () => {
    const { env, time } = aWorld();
    const subject = aSubject();
    await addHistory(env, subject, { ...emptyJournal(), history: [evicting] });
    env.cache.rememberGone('uid-1');
    time.now += 1;
    await addHistory(env, subject, { ...emptyJournal(), history: [evicting] });
    expect(await env.store.history('uid-1')).toHaveLength(2);
  });

  test('is made while the store loses what it is given', async () => {
    const { env, time } = aWorld();
    const subject = aSubject();
    const lost = { ...env.store, appendHistory: async () => undefined, isAvailable: () => false };
    await addHistory({ ...env, store: lost }, subject, { ...emptyJournal(), history: [evicting] });
    time.now += 1;
    await addHistory(env, subject, { ...emptyJournal(), history: [evicting] });
    expect(await env.store.history('uid-1')).toHaveLength(1);
  });
});

test('an entry names the Node of the Machine, where it has one', async () => {
  const { env, time } = aWorld();
  const subject = aSubject();
  const { nodeName = '', ...nodeless } = subject.machine;
  const rows = [
    { machine: nodeless, reason: 'without' },
    { machine: { ...nodeless, nodeName }, reason: 'with' },
  ];
  for (const { machine, reason } of rows) {
    time.now += 1;
    const journal = emptyJournal();
    recordDecision(journal, { ...subject.checkpoint, seq: 1 }, { what: 'acted', reason, message: '' });
    await addHistory(env, { machine }, journal);
  }
  const nodes = (await env.store.history('uid-1')).map(({ reason, node }) => [reason, node]);
  expect(nodes).toEqual([
    ['without', undefined],
    ['with', 'node-1'],
  ]);
});

test('an entry has nothing of a report but its words and the Node', async () => {
  const { env } = aWorld();
  const subject = aSubject();
  const journal = emptyJournal();
  const report = { reason: 'DrainingNode', message: 'in vain', error: 'refused', isHeldUp: true } as const;
  recordDecision(journal, { ...subject.checkpoint, phase: 'drain', seq: 1 }, { what: 'waited', ...report });
  await addHistory(env, subject, journal);
  const [entry] = await env.store.history('uid-1');
  expect(entry).toEqual({
    at: env.clock.now(),
    id: expect.stringMatching(/^000001-.*-0-test-waited$/),
    phase: 'drain',
    what: 'waited',
    reason: 'DrainingNode',
    message: 'in vain: refused',
    by: 'test',
    node: 'node-1',
  });
});
