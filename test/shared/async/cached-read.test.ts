import { expect, test } from 'vitest';
import { keptReading } from '../../../shared/async/shared-reads.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';

/** Reads that come to their end when the test says so. */
function readings() {
  const clock = manualClock();
  const begun: PromiseWithResolvers<number>[] = [];
  const kept = keptReading(clock, 10_000, () => {
    const reading = Promise.withResolvers<number>();
    begun.push(reading);
    return reading.promise;
  });
  return { clock, kept, begun };
}

test('what was read is kept from the end of the reading on', async () => {
  const { clock, kept, begun } = readings();
  const first = kept.current();
  await clock.advance(15_000);
  const shared = kept.current();
  begun[0]?.resolve(1);
  expect([await first, await shared]).toEqual([1, 1]);
  await clock.advance(9_999);
  expect(await kept.current()).toBe(1);
  await clock.advance(1);
  void kept.current();
  expect(begun).toHaveLength(2);
});

test('a reading that hangs is shared for a minute', async () => {
  const { clock, kept, begun } = readings();
  void kept.current();
  await clock.advance(59_999);
  void kept.current();
  expect(begun).toHaveLength(1);
  await clock.advance(1);
  const second = kept.current();
  begun[1]?.resolve(2);
  expect(await second).toBe(2);
  // The one that hung comes to its end, and has no effect any more.
  begun[0]?.resolve(1);
  await clock.advance(1);
  expect(await kept.current()).toBe(2);
});

test('a reading that failed, or is forgotten, is not kept', async () => {
  const { kept, begun } = readings();
  const failing = kept.current();
  begun[0]?.reject(new Error('no file'));
  await expect(failing).rejects.toThrow('no file');
  void kept.current();
  kept.forget();
  void kept.current();
  expect(begun).toHaveLength(3);
});
