import { describe, expect, test } from 'vitest';
import type { Requeue } from '../../../shared/store/port.ts';
import { aLook, aMachine, anEntry, anEviction, day, type Subject, second } from './subject.ts';

/** The times of what is due after so many seconds, as seconds from the start of the test. */
async function dueAfter(subject: Subject, seconds: number): Promise<number[]> {
  const looks = await subject.store.due(subject.start + seconds * second, 100);
  return looks.map((look) => (look.at - subject.start) / second);
}

const forgetLookAfter = (subject: Subject, seconds: number): Promise<void> =>
  subject.store.unschedule(subject.machine.uid, { at: subject.start + seconds * second });

export function describeDueLooks(subject: Subject): void {
  describe('due looks', () => {
    test('a look comes back as it was set, from its time on', async () => {
      const { store, start, machine } = subject;
      await store.schedule({ machine, at: start + 5_000, failures: 3 });
      expect(await store.due(start + 4_999, 10)).toEqual([]);
      expect(await store.due(start + 5_000, 10)).toEqual([{ machine, at: start + 5_000, failures: 3 }]);
    });

    test('a look stays due until it is forgotten', async () => {
      await subject.store.schedule(aLook(subject, 1));
      expect(await dueAfter(subject, 1)).toEqual([1]);
      expect(await dueAfter(subject, 2)).toEqual([1]);
      await forgetLookAfter(subject, 1);
      expect(await dueAfter(subject, 2)).toEqual([]);
    });

    const rows: [name: string, first: number, then: number, stays: number][] = [
      ['an earlier time takes the place of a later one', 20, 10, 10],
      ['a later time does not take the place of one still to come', 10, 20, 10],
      ['a later time takes the place of one that has come', 0, 20, 20],
      ['a later time takes the place of one long past', -60, 20, 20],
    ];
    test.each(rows)('%s', async (_, first, then, stays) => {
      expect(await subject.store.schedule(aLook(subject, first))).toBe(true);
      expect(await subject.store.schedule(aLook(subject, then))).toBe(then === stays);
      expect(await dueAfter(subject, 60)).toEqual([stays]);
    });

    test('a look that is set once more, as where an answer was lost, is set', async () => {
      await subject.store.schedule(aLook(subject, 20));
      expect(await subject.another().schedule(aLook(subject, 20))).toBe(true);
    });

    test('a look set again to the same time has the newer count of failures', async () => {
      await subject.store.schedule(aLook(subject, 1, { failures: 1 }));
      await subject.store.schedule(aLook(subject, 1, { failures: 2 }));
      expect(await subject.store.due(subject.start + second, 10)).toMatchObject([{ failures: 2 }]);
    });

    test('a look set again to a later time keeps its count of failures', async () => {
      await subject.store.schedule(aLook(subject, 1, { failures: 1 }));
      await subject.store.schedule(aLook(subject, 2, { failures: 0 }));
      expect(await subject.store.due(subject.start + second, 10)).toMatchObject([{ failures: 1 }]);
    });

    describeProvisional(subject);
    describeForgetting(subject);
    describeSweeps(subject);
    describeMany(subject);

    test('a look nobody took for 7 days is no longer answered and can be set anew', async () => {
      await subject.store.schedule(aLook(subject));
      expect(await subject.store.due(subject.start + 7 * day - 1, 10)).toHaveLength(1);
      expect(await subject.store.due(subject.start + 7 * day, 10)).toEqual([]);
      subject.clock.pass(8 * day);
      const anew = aLook(subject, 0, { at: subject.clock.now() + second });
      await subject.store.schedule(anew);
      expect(await subject.store.due(anew.at, 10)).toEqual([anew]);
    });
  });
}

/** By what is scheduled one after the other: after how many seconds, how (see `aLookOf`); and what stays. */
const provisionalRows: [name: string, looks: string, stays: string][] = [
  ['a later one takes the place of a provisional one', '20p 60', '60'],
  ['an earlier one takes the place of a provisional one', '20p 10', '10'],
  ['one for the same time takes the place of a provisional one', '20p 20', '20'],
  ['a provisional one does not take the place of an earlier one', '10 20p', '10'],
  ['nor that of one for the same time', '20 20p', '20'],
  ['nor that of a later one', '60 20p', '60'],
  ['what it has not taken the place of stays', '60 20p 300', '60'],
  ['a provisional one takes the place of one that has come', '0 20p', '20p'],
  ['and a later one that of both', '0 20p 60', '60'],
  ['a provisional one takes the place of a later provisional one', '20p 10p', '10p'],
  ['which a later one still takes the place of', '20p 10p 60', '60'],
  ['a provisional one does not take the place of an earlier provisional one', '10p 20p', '10p'],
  ['which a later one still takes the place of, too', '10p 20p 60', '60'],
  ['nothing later takes the place of what took that of a provisional one', '20p 60 300', '60'],
];

const deletionRows: typeof provisionalRows = [
  ['the first one of a deletion takes the place of a later one of the living Machine', '300 20pd', '20pd'],
  ['and of an earlier one', '10 20pd', '20pd'],
  ['and of a provisional one', '60p 20pd', '20pd'],
  ['one that a step has asked for takes the place of an earlier one of the living Machine', '10 45d', '45d'],
  ['and earlier than the first one that of the first one', '300 20pd 10d', '10d'],
  ['and later than the first one that of the first one', '300 20pd 45d', '45d'],
  ['the first one of another instance does not take the place of that', '300 20pd 45d 21pd', '45d'],
  ['an earlier one of the living Machine does not take the place of that', '20pd 45d 30', '45d'],
  ['nor does it of the first one', '20pd 10', '20pd'],
  ['nor does a provisional one of the living Machine', '20pd 10p', '20pd'],
  ['nor does a later one of the living Machine', '20pd 300', '20pd'],
  ['one of the living Machine takes the place of one of a deletion that has come', '0d 60', '60'],
];

/** `20pd` is due after 20 seconds, provisional, and of a deletion. */
const aLookOf = (subject: Subject, text: string): Requeue =>
  aLook(subject, Number.parseInt(text, 10), {
    ...(text.includes('p') && { isProvisional: true }),
    ...(text.includes('d') && { isOfDeletion: true }),
  });

const textOf = (subject: Subject, { at, isProvisional = false, isOfDeletion = false }: Requeue): string =>
  `${(at - subject.start) / second}${isProvisional ? 'p' : ''}${isOfDeletion ? 'd' : ''}`;

function describeProvisional(subject: Subject): void {
  test.each([...provisionalRows, ...deletionRows])(
    'of looks in case that a step is lost: %s',
    async (_, looks, stays) => {
      for (const look of looks.split(' ')) await subject.another().schedule(aLookOf(subject, look));
      const due = await subject.store.due(subject.start + 300 * second, 100);
      expect(due.map((look) => textOf(subject, look))).toEqual([stays]);
    },
  );
}

function describeForgetting(subject: Subject): void {
  test('forgetting a look that was set anew leaves the new one', async () => {
    await subject.store.schedule(aLook(subject, 20));
    await subject.store.schedule(aLook(subject, 10));
    await forgetLookAfter(subject, 20);
    expect(await dueAfter(subject, 60)).toEqual([10]);
  });

  test.each<[what: string, set: object, forgotten: object]>([
    ['a provisional look leaves what a step has asked for in its place', {}, { isProvisional: true }],
    ['what a step has asked for leaves a provisional look', { isProvisional: true }, {}],
    ['a look of the living Machine leaves one of its deletion', { isOfDeletion: true }, {}],
    ['a look of a deletion leaves one of the living Machine', {}, { isOfDeletion: true }],
  ])('forgetting %s, at the same time', async (_, set, forgotten) => {
    const { store, machine } = subject;
    const look = aLook(subject, 20, set);
    await store.schedule(look);
    await store.unschedule(machine.uid, { at: look.at, ...forgotten });
    expect(await dueAfter(subject, 60)).toEqual([20]);
    await store.unschedule(machine.uid, look);
    expect(await dueAfter(subject, 60)).toEqual([]);
  });

  test('forgetting without a time forgets whatever is set', async () => {
    await subject.store.schedule(aLook(subject, 10));
    await subject.store.unschedule(subject.machine.uid);
    expect(await dueAfter(subject, 60)).toEqual([]);
  });

  test.each([undefined, { at: 0 }])('forgetting what was never set (%o) changes nothing', async (look) => {
    await subject.store.unschedule(subject.machine.uid, look);
    expect(await dueAfter(subject, 60)).toEqual([]);
  });

  test('what else is remembered of a Machine is not due, and is not forgotten with its look', async () => {
    const { store, machine } = subject;
    await store.schedule(aLook(subject));
    await store.recordEvictions(machine, [anEviction(subject)]);
    await store.appendHistory(machine, [anEntry(subject)]);
    await store.unschedule(machine.uid);
    expect(await dueAfter(subject, 60)).toEqual([]);
    expect(await store.podRecords(machine.uid)).toHaveLength(1);
    expect(await store.history(machine.uid)).toHaveLength(1);
  });
}

function describeSweeps(subject: Subject): void {
  test('a sweep that stops between passing a look on and forgetting it passes it on again', async () => {
    await subject.store.schedule(aLook(subject));
    expect(await dueAfter(subject, 0)).toEqual([0]);
    expect(await dueAfter(subject, 5)).toEqual([0]);
  });

  test('a sweep that forgets a look after its step has set the next one leaves the next one', async () => {
    await subject.store.schedule(aLook(subject));
    expect(await dueAfter(subject, 0)).toEqual([0]);
    await subject.store.schedule(aLook(subject, 20));
    await forgetLookAfter(subject, 0);
    expect(await dueAfter(subject, 60)).toEqual([20]);
  });
}

function describeMany(subject: Subject): void {
  test('of concurrent writers the earliest time stays, and once', async () => {
    const times = [31, 17, 42, 8, 25, 60, 11, 8, 53, 29];
    await Promise.all(times.map((seconds) => subject.another().schedule(aLook(subject, seconds))));
    expect(await dueAfter(subject, 60)).toEqual([8]);
  });

  test('a thousand looks come soonest first, as many as asked for', async () => {
    const { store, start } = subject;
    // 617 and 1,000 have no common factor: every millisecond once, in no order.
    const times = Array.from({ length: 1_000 }, (_, index) => start + ((index * 617) % 1_000));
    const looks = times.map((at) => ({ machine: aMachine(), at, failures: 0 }));
    for (let from = 0; from < looks.length; from += 50) {
      await Promise.all(looks.slice(from, from + 50).map((look) => store.schedule(look)));
    }
    const soonestFirst = looks.toSorted((one, other) => one.at - other.at);
    expect(await store.due(start + 999, 25)).toEqual(soonestFirst.slice(0, 25));
    expect(await store.due(start + 999, 5_000)).toEqual(soonestFirst);
    expect(await store.due(start + 9, 5_000)).toEqual(soonestFirst.slice(0, 10));
    expect(await store.due(start + 999, 0)).toEqual([]);
  }, 60_000);
}
