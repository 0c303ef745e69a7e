import { describe, expect, test } from 'vitest';
import { SingleFlight } from '../../../shared/async/shared-reads.ts';
import { counting, held, settled } from '../reconcile/reads.ts';

describe('the next read', () => {
  test('is never one that was begun before it was asked for', async () => {
    const reads = new SingleFlight<unknown>();
    const { begun, read } = held();
    const first = reads.get('key', read);
    const second = reads.get('key', read);
    await settled();
    expect(begun).toHaveLength(1);
    begun[0]!.answer('old');
    expect(await first).toBe('old');
    await settled();
    begun[1]!.answer('new');
    expect(await second).toBe('new');
  });

  test('is shared by all who wait for it to begin', async () => {
    const reads = new SingleFlight<unknown>();
    const { begun, read } = held();
    const first = reads.get('key', read);
    const waiting = [reads.get('key', read), reads.get('key', read)];
    await settled();
    begun[0]!.answer('old');
    await first;
    await settled();
    begun[1]!.answer('new');
    expect(await Promise.all(waiting)).toEqual(['new', 'new']);
    expect(begun).toHaveLength(2);
  });

  test('begins also after one that failed', async () => {
    const reads = new SingleFlight<unknown>();
    const { begun, read } = held();
    const first = reads.get('key', read);
    const second = reads.get('key', read);
    await settled();
    begun[0]!.fail(new Error('no answer'));
    await expect(first).rejects.toThrow('no answer');
    await settled();
    begun[1]!.answer('new');
    expect(await second).toBe('new');
  });

  test('is never one that others have waited for, once that has begun', async () => {
    const reads = new SingleFlight<unknown>();
    const { begun, read } = held();
    const first = reads.get('key', read);
    const second = reads.get('key', read);
    await settled();
    begun[0]!.answer('old');
    await first;
    await settled();
    const third = reads.get('key', read);
    begun[1]!.answer('new');
    expect(await second).toBe('new');
    await settled();
    begun[2]!.answer('newest');
    expect(await third).toBe('newest');
  });

  test('begins at once where none is under way any more', async () => {
    const reads = new SingleFlight<unknown>();
    const { begun, read } = held();
    const first = reads.get('key', read);
    begun[0]!.answer('old');
    await first;
    void reads.get('key', read);
    expect(begun).toHaveLength(2);
  });

  test('is not remembered once it has ended', async () => {
    const reads = new SingleFlight<unknown>();
    const { read } = counting();
    expect(await reads.get('key', read)).toBe(1);
    expect(await reads.get('key', read)).toBe(2);
  });
});
