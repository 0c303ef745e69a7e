import { describe, expect, test } from 'vitest';
import { aLook, anEntry, anEviction, day, type Subject, second } from './subject.ts';

export function describeHistory(subject: Subject): void {
  describe('history', () => {
    test('entries come in the order of their ids, 9 before 10, whatever their times', async () => {
      const ids = ['10', '2', '9'];
      await subject.store.appendHistory(
        subject.machine,
        ids.map((id, index) => anEntry(subject, { id, at: subject.start - index })),
      );
      expect(await subject.store.history(subject.machine.uid)).toEqual([
        anEntry(subject, { id: '2', at: subject.start - 1 }),
        anEntry(subject, { id: '9', at: subject.start - 2 }),
        anEntry(subject, { id: '10', at: subject.start }),
      ]);
    });

    test('every word of an entry comes back', async () => {
      const entry = anEntry(subject, {
        id: '000003-2040-02-01T00:00:00.000Z-0',
        what: 'halted',
        reason: '',
        message: 'Knoten „w1" 🚰',
      });
      await subject.store.appendHistory(subject.machine, [entry]);
      expect(await subject.store.history(subject.machine.uid)).toEqual([entry]);
    });

    test('a repeated write is the same entry, and the first one stays', async () => {
      await subject.store.appendHistory(subject.machine, [anEntry(subject, { message: 'first' })]);
      await subject.store.appendHistory(subject.machine, [
        anEntry(subject, { message: 'again', by: 'other' }),
      ]);
      expect(await subject.store.history(subject.machine.uid)).toEqual([
        anEntry(subject, { message: 'first' }),
      ]);
    });

    test('of two entries with one id in one call the first one stays', async () => {
      await subject.store.appendHistory(subject.machine, [
        anEntry(subject, { message: 'first' }),
        anEntry(subject, { message: 'second' }),
      ]);
      expect(await subject.store.history(subject.machine.uid)).toEqual([
        anEntry(subject, { message: 'first' }),
      ]);
    });

    test('concurrent writers of the same id leave one entry', async () => {
      const writers = Array.from({ length: 20 }, (_, index) => ({ index, writer: subject.another() }));
      await Promise.all(
        writers.map(({ index, writer }) =>
          writer.appendHistory(subject.machine, [anEntry(subject, { by: `${index}` })]),
        ),
      );
      expect(await subject.store.history(subject.machine.uid)).toHaveLength(1);
    });

    test('it outlives what else is known of the Machine, and ends after 30 days', async () => {
      await subject.store.appendHistory(subject.machine, [anEntry(subject)]);
      await subject.store.recordEvictions(subject.machine, [anEviction(subject)]);
      subject.clock.pass(30 * day - second);
      expect(await subject.store.podRecords(subject.machine.uid)).toEqual([]);
      expect(await subject.store.history(subject.machine.uid)).toEqual([anEntry(subject)]);
      subject.clock.pass(second);
      expect(await subject.store.history(subject.machine.uid)).toEqual([]);
      await subject.store.appendHistory(subject.machine, [anEntry(subject, { message: 'anew' })]);
      expect(await subject.store.history(subject.machine.uid)).toEqual([
        anEntry(subject, { message: 'anew' }),
      ]);
    });
  });

  test('what is handed in and out is nobody else’s object', async () => {
    const entry = anEntry(subject);
    const look = aLook(subject);
    await Promise.all([subject.store.appendHistory(subject.machine, [entry]), subject.store.schedule(look)]);
    entry.message = 'changed';
    look.machine.name = 'changed';
    (await subject.store.history(subject.machine.uid))[0]!.message = 'changed';
    expect(await subject.store.history(subject.machine.uid)).toMatchObject([
      { message: 'Drain not completed yet' },
    ]);
    expect(await subject.store.due(subject.start, 10)).toMatchObject([{ machine: { name: 'worker-1' } }]);
  });
}
