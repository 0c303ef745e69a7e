import { describe, expect, test } from 'vitest';
import type { HookRecord } from '../../../shared/machine/hook-record.ts';
import { type Subject, second } from './subject.ts';

export function describeHooks(subject: Subject): void {
  const turn = { hook: 'uid-of-move-data', begin: 1_767_261_600_000 };
  const record = async (...records: Omit<HookRecord, 'hook' | 'begin'>[]): Promise<HookRecord[]> => {
    for (const each of records) await subject.store.recordHook(subject.machine, { ...turn, ...each });
    return subject.store.hookRecords(subject.machine.uid);
  };
  const at = (seconds: number): number => subject.start + seconds * second;

  describe('turns of DeletionHooks', () => {
    test('there is none before the first', async () => {
      expect(await record()).toEqual([]);
    });

    test('a call and an answer are one record, and every word of the answer comes back', async () => {
      const answer = {
        state: 'Failed',
        message: 'Platte 4 „belegt" 🚰',
        at: at(2),
        retryAfterSeconds: 60,
      } as const;
      expect(await record({ askedAt: at(1) }, { answer })).toEqual([{ ...turn, askedAt: at(1), answer }]);
    });

    test('the later call stays', async () => {
      expect(await record({ askedAt: at(9) }, { askedAt: at(3) })).toEqual([{ ...turn, askedAt: at(9) }]);
    });

    test('a later answer takes the place of an earlier one', async () => {
      const answers = [
        { state: 'Failed', at: at(1) },
        { state: 'Working', message: 'moving', at: at(2) },
      ] as const;
      expect(await record(...answers.map((answer) => ({ answer })))).toEqual([
        { ...turn, answer: answers[1] },
      ]);
    });

    test('Done stays, whatever comes after it', async () => {
      const done = { state: 'Done', at: at(1) } as const;
      expect(await record({ answer: done }, { answer: { state: 'Working', at: at(2) } })).toEqual([
        { ...turn, answer: done },
      ]);
    });

    test('a call that was given up stands beside the call and its answer', async () => {
      const answer = { state: 'Working', at: at(2) } as const;
      const givenUp = { at: at(3), status: 503 };
      expect(await record({ askedAt: at(1) }, { answer }, { givenUp })).toEqual([
        { ...turn, askedAt: at(1), answer, givenUp },
      ]);
    });

    test('the last one that was given up stays, with or without an answer of its function', async () => {
      const records = [{ givenUp: { at: at(1), status: 503 } }, { givenUp: { at: at(2) } }];
      expect(await record(...records)).toEqual([{ ...turn, givenUp: { at: at(2) } }]);
    });

    test('each turn has its own', async () => {
      await subject.store.recordHook(subject.machine, { ...turn, begin: turn.begin + 1, askedAt: at(5) });
      await record({ askedAt: at(1) });
      const records = await subject.store.hookRecords(subject.machine.uid);
      expect(new Set(records.map(({ askedAt }) => askedAt))).toEqual(new Set([at(1), at(5)]));
    });
  });
}
