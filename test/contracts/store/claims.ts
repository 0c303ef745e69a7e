import { describe, expect, test } from 'vitest';
import type { Release, Released, Requeue } from '../../../shared/store/port.ts';
import { compareBytes } from '../../../shared/text/byte-order.ts';
import { aLook, type Subject, second } from './subject.ts';

const claimSeconds = 30;
const aClaim = ({ machine, clock }: Subject, by: string) => ({
  machine,
  by,
  at: clock.now(),
  until: clock.now() + claimSeconds * second,
});

const claimBy = (subject: Subject, by: string) => subject.another().claim(aClaim(subject, by));

const releaseBy = (subject: Subject, by: string, rest: Partial<Release> = {}) =>
  subject.another().release({ machine: subject.machine, by, ours: [], ...rest });

const hear = (subject: Subject, version?: string) => subject.another().hear(subject.machine.uid, version);

const taken = (before: { look?: Requeue; ours?: string[]; news?: string[] } = {}) => ({
  kind: 'taken',
  before: { ours: [], news: [], ...before },
});

/** DynamoDB keeps no order in a set. */
const newsOf = (released: Released): unknown =>
  released.kind === 'released' ? released.news.toSorted(compareBytes) : released;

const dueIn = (subject: Subject, seconds: number): Promise<Requeue[]> =>
  subject.store.due(subject.clock.now() + seconds * second, 10);

export function describeClaims(subject: Subject): void {
  describe('claims', () => {
    const claim = (by: string) => claimBy(subject, by);

    test('one instance at a time has a Machine', async () => {
      expect(await claim('a')).toEqual(taken());
      expect(await claim('b')).toEqual({ kind: 'held' });
      expect(await releaseBy(subject, 'a')).toEqual({ kind: 'released', news: [] });
      expect(await claim('b')).toEqual(taken());
    });

    test('of many that ask at once one has it', async () => {
      const claims = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(claim));
      expect(claims.filter(({ kind }) => kind === 'taken')).toHaveLength(1);
    });

    test('who has it may take it once more, as where an answer was lost', async () => {
      await claim('a');
      expect(await claim('a')).toMatchObject({ kind: 'taken' });
    });

    test('it is over after its time, and not before', async () => {
      await claim('a');
      subject.clock.pass(claimSeconds * second - 1);
      expect(await claim('b')).toEqual({ kind: 'held' });
      subject.clock.pass(1);
      expect(await claim('b')).toMatchObject({ kind: 'taken' });
    });

    test('one that ends far ahead is not believed: the clock was set back since', async () => {
      await claim('a');
      subject.clock.pass(-31 * second);
      expect(await hear(subject, '7')).toBe('free');
      expect(await claim('b')).toMatchObject({ kind: 'taken' });
      subject.clock.pass(31 * second);
    });

    test('it sets a look for the case that the step never ends', async () => {
      await claim('a');
      expect(await dueIn(subject, claimSeconds - 1)).toEqual([]);
      const look = aLook(subject, claimSeconds, { isProvisional: true, isOfDeletion: true });
      expect(await dueIn(subject, claimSeconds)).toEqual([look]);
    });

    test('it answers the look that stood there, and the step leaves another', async () => {
      const look = aLook(subject, 5, { failures: 3 });
      await subject.store.schedule(look);
      expect(await claim('a')).toEqual(taken({ look }));
      const next = aLook(subject, 60, { isOfDeletion: true });
      await releaseBy(subject, 'a', { look: next });
      expect(await dueIn(subject, 60)).toEqual([next]);
    });

    test('a release without a look leaves nothing behind', async () => {
      await claim('a');
      await releaseBy(subject, 'a', { ours: ['7'] });
      expect(await dueIn(subject, 100)).toEqual([]);
      expect(await hear(subject, '7')).toBe('free');
    });

    test.each<[string, (subject: Subject) => Promise<unknown>]>([
      ['nobody has claimed', async () => undefined],
      ['another has claimed', () => claim('b')],
      ['was forgotten meanwhile', (each) => claim('a').then(() => each.store.unschedule(each.machine.uid))],
    ])('who releases what %s has lost it, and writes nothing', async (_, before) => {
      await before(subject);
      const look = aLook(subject, 7);
      expect(await releaseBy(subject, 'a', { look })).toEqual({ kind: 'lost' });
      expect(await dueIn(subject, 7)).toEqual([]);
    });

    test('what somebody else schedules meanwhile leaves the claim as it is', async () => {
      await claim('a');
      const look = aLook(subject, 20, { isOfDeletion: true });
      expect(await subject.another().schedule(look)).toBe(true);
      expect(await claim('b')).toEqual({ kind: 'held' });
      expect(await releaseBy(subject, 'a', { look })).toEqual({ kind: 'released', news: [] });
    });

    describeNews(subject);
  });
}

function describeNews(subject: Subject): void {
  const claim = (by: string) => claimBy(subject, by);

  test('what is heard of a Machine that is not claimed is for who hears it', async () => {
    expect(await hear(subject, '7')).toBe('free');
    await subject.store.schedule(aLook(subject, 5));
    expect(await hear(subject, '7')).toBe('free');
    expect(await hear(subject)).toBe('free');
  });

  test('what is heard during a step is told as it ends, each once', async () => {
    await claim('a');
    for (const version of ['7', '9', '7', undefined]) expect(await hear(subject, version)).toBe('noted');
    expect(newsOf(await releaseBy(subject, 'a', { look: aLook(subject, 60) }))).toEqual(['-', '7', '9']);
    await claim('a');
    expect(newsOf(await releaseBy(subject, 'a'))).toEqual([]);
  });

  test('it is told also where nothing of the Machine is to stay', async () => {
    await claim('a');
    await hear(subject, '7');
    expect(newsOf(await releaseBy(subject, 'a'))).toEqual(['7']);
  });

  test('what was heard during a step that never ended is for the next one', async () => {
    await claim('a');
    await hear(subject, '7');
    subject.clock.pass(claimSeconds * second);
    expect(await hear(subject, '8')).toBe('free');
    expect(await claim('b')).toMatchObject({ kind: 'taken', before: { news: ['7'] } });
    expect(newsOf(await releaseBy(subject, 'b'))).toEqual([]);
  });

  test('what the steps before have written is an echo, and they tell the next one', async () => {
    await claim('a');
    await releaseBy(subject, 'a', { look: aLook(subject, 60), ours: ['7', '8'] });
    expect(await hear(subject, '7')).toBe('echo');
    expect(await hear(subject, '9')).toBe('free');
    expect(await hear(subject)).toBe('free');
    expect(await claim('b')).toMatchObject({ kind: 'taken', before: { ours: ['7', '8'] } });
  });

  test('also where another look has been set since', async () => {
    await claim('a');
    await releaseBy(subject, 'a', { look: aLook(subject, 60), ours: ['7'] });
    await subject.another().schedule(aLook(subject, 20));
    expect(await hear(subject, '7')).toBe('echo');
  });
}
