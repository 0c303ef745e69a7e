import { describe, expect, test } from 'vitest';
import type { StoreFault } from './faults.ts';
import { aLook, anEntry, anEviction, machine, type OpenStore, openStore, start } from './open-store.ts';

const answerLost: StoreFault = { reset: 'after the effect' };
const week = 7 * 24 * 60 * 60 * 1_000;

describe('a write whose answer is lost is sent again and meets its own effect', () => {
  test('a look is set once, as it was meant', async () => {
    const { dynamo, inTime } = openStore([answerLost]);
    await inTime(() => dynamo.schedule(aLook()));
    expect(await dynamo.due(start, 10)).toEqual([aLook()]);
  });

  test('a look that is forgotten stays forgotten, and one that was set anew meanwhile stays', async () => {
    const { dynamo, faults, inTime } = openStore([]);
    await dynamo.schedule(aLook());
    faults.push(answerLost);
    await inTime(async () => {
      const forgetting = dynamo.unschedule('uid-1', { at: start });
      await dynamo.schedule(aLook({ at: start + 20 }));
      await forgetting;
    });
    expect(await dynamo.due(start + 60, 10)).toEqual([aLook({ at: start + 20 })]);
  });

  test('a claim is taken once, and its release may have been told of something', async () => {
    const { dynamo, faults, inTime } = openStore([answerLost]);
    const claim = { machine, by: 'a', at: start, until: start + 30_000 };
    expect((await inTime(() => dynamo.claim(claim))).answer).toMatchObject({ kind: 'taken' });
    expect(await dynamo.hear('uid-1', '7')).toBe('noted');
    faults.push(answerLost);
    const release = { machine, by: 'a', look: aLook({ at: start + 60_000 }), ours: ['6'] };
    expect((await inTime(() => dynamo.release(release))).answer).toEqual({ kind: 'released', news: ['-'] });
  });

  test('an attempt is counted twice', async () => {
    const { dynamo, inTime } = openStore([answerLost]);
    await inTime(() => dynamo.recordEvictions(machine, [anEviction()]));
    expect(await dynamo.podRecords('uid-1')).toMatchObject([{ podUid: 'pod-1', attempts: 2 }]);
  });

  test('an expired record is removed once, and the attempt begins a new one', async () => {
    const { dynamo, faults, inTime, pass } = openStore([]);
    await dynamo.recordEvictions(machine, [anEviction(), anEviction()]);
    await pass(week);
    faults.push('none', answerLost);
    await inTime(() => dynamo.recordEvictions(machine, [anEviction({ at: start + week })]));
    expect(await dynamo.podRecords('uid-1')).toMatchObject([{ attempts: 1, firstAttempt: start + week }]);
  });

  test('an entry of the history is there once', async () => {
    const { dynamo, inTime } = openStore([answerLost]);
    await inTime(() => dynamo.appendHistory(machine, [anEntry()]));
    expect(await dynamo.history('uid-1')).toEqual([anEntry()]);
  });
});

/** All sixteen parts of the index are asked for each answer. */
const dueAsOf = (open: OpenStore, changesAgo: number): Promise<unknown> => {
  open.faults.push(...Array.from({ length: 16 }, () => ({ stale: changesAgo })));
  return open.dynamo.due(start + 60, 10);
};

describe('an index that follows the table some changes later', () => {
  const later = aLook({ at: start + 10 });
  const rows: [name: string, changesAgo: number, answer: unknown[]][] = [
    ['as it is', 0, []],
    ['before the look was forgotten', 1, [later]],
    ['before it was set to another time', 2, [aLook()]],
    ['before it was set at all', 3, []],
    ['before all there ever was', 9, []],
  ];
  test.each(rows)('%s', async (_name, changesAgo, answer) => {
    const open = openStore([]);
    await open.dynamo.schedule(aLook());
    // Neither is a change of the index.
    await open.dynamo.appendHistory(machine, [anEntry()]);
    await open.dynamo.unschedule('uid-1', { at: start + 5 });
    await open.pass(1);
    await open.dynamo.schedule(later);
    await open.dynamo.unschedule('uid-1');
    expect(await dueAsOf(open, changesAgo)).toEqual(answer);
  });

  test('what has to be answered as it is now is', async () => {
    const { dynamo } = openStore(['none', 'none', { stale: 1 }, { stale: 1 }]);
    await dynamo.appendHistory(machine, [anEntry()]);
    await dynamo.recordEvictions(machine, [anEviction()]);
    expect(await dynamo.history('uid-1')).toHaveLength(1);
    expect(await dynamo.podRecords('uid-1')).toHaveLength(1);
  });
});

test('pages of one item each are put together, up to one that is empty', async () => {
  const { dynamo, faults, labels } = openStore([]);
  const evictions = ['pod-1', 'pod-2', 'pod-3'].map((podUid) => anEviction({ podUid }));
  await dynamo.recordEvictions(machine, evictions);
  labels.length = 0;
  faults.push({ page: 1 }, { page: 1 }, { page: 1 }, { page: 1 });
  expect((await dynamo.podRecords('uid-1')).map(({ podUid }) => podUid)).toEqual(['pod-1', 'pod-2', 'pod-3']);
  expect(labels).toEqual(Array.from({ length: 4 }, () => 'store Query machine#uid-1 pod#'));
});
