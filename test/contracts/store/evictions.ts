import { describe, expect, test } from 'vitest';
import { aMachine, anEviction, aRefusal, day, exhausted, type Subject, second } from './subject.ts';

export function describeEvictions(subject: Subject): void {
  describe('eviction records', () => {
    test('a Machine nobody knows has none', async () => {
      expect(await subject.store.podRecords(subject.machine.uid)).toEqual([]);
    });

    test('no evictions leave no record', async () => {
      await subject.store.recordEvictions(subject.machine, []);
      expect(await subject.store.podRecords(subject.machine.uid)).toEqual([]);
    });

    test('the first attempt begins the record', async () => {
      await subject.store.recordEvictions(subject.machine, [anEviction(subject)]);
      expect(await subject.store.podRecords(subject.machine.uid)).toEqual([
        {
          podUid: 'pod-1',
          namespace: 'shop',
          name: 'cart-0',
          attempts: 1,
          refusals: {},
          firstAttempt: subject.start,
          lastAttempt: subject.start,
          outcome: 'accepted',
        },
      ]);
    });

    test('refusals are counted by cause, and the last one is kept with the time to try again', async () => {
      const terminating = { cause: 'NamespaceTerminating', text: 'being deleted' } as const;
      await subject.store.recordEvictions(subject.machine, [aRefusal(subject, { refusal: terminating })]);
      for (const after of [1_000, 2_000]) {
        const [at, notBefore] = [subject.start + after, subject.start + after + 500];
        await subject.store.recordEvictions(subject.machine, [aRefusal(subject, { at, notBefore })]);
      }
      expect(await subject.store.podRecords(subject.machine.uid)).toEqual([
        {
          podUid: 'pod-1',
          namespace: 'shop',
          name: 'cart-0',
          attempts: 3,
          refusals: { NamespaceTerminating: 1, BudgetExhausted: 2 },
          firstAttempt: subject.start,
          lastAttempt: subject.start + 2_000,
          outcome: 'refused',
          lastRefusal: { cause: 'BudgetExhausted', text: 'Cannot evict pod', budget: 'shop/cart' },
          notBefore: subject.start + 2_500,
        },
      ]);
    });

    test('the cause that keeps a Pod is remembered with its time, through attempts that say nothing of it', async () => {
      const lasting = { cause: 'BudgetNeverAllows', since: subject.start } as const;
      await subject.store.recordEvictions(subject.machine, [aRefusal(subject, { lasting })]);
      await subject.store.recordEvictions(subject.machine, [
        aRefusal(subject, { at: subject.start + second }),
      ]);
      expect(await subject.store.podRecords(subject.machine.uid)).toMatchObject([{ attempts: 2, lasting }]);
      const other = { cause: 'AdmissionWebhook', since: subject.start + 2 * second } as const;
      await subject.store.recordEvictions(subject.machine, [aRefusal(subject, { lasting: other })]);
      expect(await subject.store.podRecords(subject.machine.uid)).toMatchObject([{ lasting: other }]);
    });

    test('an accepted eviction ends the wait and keeps the counts', async () => {
      const notBefore = subject.start + 10 * second;
      await subject.store.recordEvictions(subject.machine, [aRefusal(subject, { notBefore })]);
      await subject.store.recordEvictions(subject.machine, [
        anEviction(subject, { at: subject.start + second }),
      ]);
      const [record] = await subject.store.podRecords(subject.machine.uid);
      expect(record).toMatchObject({ attempts: 2, outcome: 'accepted', refusals: { BudgetExhausted: 1 } });
      expect(record).not.toHaveProperty('notBefore');
    });

    test.each(['accepted', 'gone'] as const)('%s is never turned back into refused', async (outcome) => {
      await subject.store.recordEvictions(subject.machine, [anEviction(subject, { outcome })]);
      await subject.store.recordEvictions(subject.machine, [aRefusal(subject)]);
      expect(await subject.store.podRecords(subject.machine.uid)).toMatchObject([{ attempts: 2, outcome }]);
    });

    test('a Pod of the same name and another UID is another Pod', async () => {
      await subject.store.recordEvictions(subject.machine, [
        anEviction(subject, { podUid: 'old' }),
        anEviction(subject, { podUid: 'new' }),
      ]);
      const records = await subject.store.podRecords(subject.machine.uid);
      expect(records.map(({ podUid, attempts }) => [podUid, attempts])).toEqual([
        ['new', 1],
        ['old', 1],
      ]);
    });

    test('attempts at one Pod in one call are taken in their order', async () => {
      const attempts = [1, 2, 3].map((count) =>
        anEviction(subject, { at: subject.start + count, outcome: 'refused' }),
      );
      await subject.store.recordEvictions(subject.machine, attempts);
      const records = await subject.store.podRecords(subject.machine.uid);
      expect(records).toMatchObject([
        { attempts: 3, firstAttempt: subject.start + 1, lastAttempt: subject.start + 3 },
      ]);
    });

    test('one Machine sees nothing of another whose UID begins with its own', async () => {
      const longer = aMachine(`${subject.machine.uid}0`);
      await subject.store.recordEvictions(longer, [anEviction(subject)]);
      expect(await subject.store.podRecords(subject.machine.uid)).toEqual([]);
    });

    test('many Pods come back whole, however long their refusals', async () => {
      const text = 'x'.repeat(6_000);
      const pods = Array.from({ length: 200 }, (_, index) => `pod-${index}`);
      await subject.store.recordEvictions(
        subject.machine,
        pods.map((podUid) => aRefusal(subject, { podUid, refusal: { ...exhausted, text } })),
      );
      const records = await subject.store.podRecords(subject.machine.uid);
      expect(records.length).toBe(200);
      expect(records.every((record) => record.lastRefusal?.text === text)).toBe(true);
    });

    test('concurrent writers lose no attempt', async () => {
      const writers = Array.from({ length: 40 }, () => subject.another());
      const refused = aRefusal(subject);
      await Promise.all(writers.map((writer) => writer.recordEvictions(subject.machine, [refused])));
      const records = await subject.store.podRecords(subject.machine.uid);
      expect(records).toMatchObject([{ attempts: 40, refusals: { BudgetExhausted: 40 } }]);
    });

    test('a record is kept for 7 days after the last attempt, and then starts anew', async () => {
      await subject.store.recordEvictions(subject.machine, [anEviction(subject)]);
      subject.clock.pass(7 * day - second);
      expect(await subject.store.podRecords(subject.machine.uid)).toHaveLength(1);
      subject.clock.pass(second);
      expect(await subject.store.podRecords(subject.machine.uid)).toEqual([]);
      await subject.store.recordEvictions(subject.machine, [
        anEviction(subject, { at: subject.clock.now(), outcome: 'refused' }),
      ]);
      expect(await subject.store.podRecords(subject.machine.uid)).toMatchObject([
        { attempts: 1, outcome: 'refused', firstAttempt: subject.start + 7 * day },
      ]);
    });

    test('a record that is added to is kept from then on', async () => {
      await subject.store.recordEvictions(subject.machine, [aRefusal(subject)]);
      subject.clock.pass(6 * day);
      await subject.store.recordEvictions(subject.machine, [aRefusal(subject, { at: subject.clock.now() })]);
      subject.clock.pass(6 * day);
      expect(await subject.store.podRecords(subject.machine.uid)).toMatchObject([{ attempts: 2 }]);
    });

    test('concurrent writers that meet an expired record begin one new record', async () => {
      await subject.store.recordEvictions(subject.machine, [anEviction(subject), anEviction(subject)]);
      subject.clock.pass(8 * day);
      const writers = Array.from({ length: 12 }, () => subject.another());
      await Promise.all(
        writers.map((writer) => writer.recordEvictions(subject.machine, [anEviction(subject)])),
      );
      expect(await subject.store.podRecords(subject.machine.uid)).toMatchObject([{ attempts: 12 }]);
    });
  });
}
