import { expect, test } from 'vitest';
import { NotDelivered } from '../../../../shared/http/failures.ts';
import { Places } from '../../../../shared/http/outbox/outbox.ts';
import { held, settled } from '../../reconcile/reads.ts';

test('a place goes from hand to hand: who comes meanwhile waits', async () => {
  const { begun, read } = held();
  const places = new Places(1);
  const all = [places.run(read), places.run(read)];
  begun[0]?.answer('first');
  await settled();
  expect(begun).toHaveLength(2);
  all.push(places.run(read));
  await settled();
  expect(begun).toHaveLength(2);
  begun[1]?.answer('second');
  await settled();
  begun[2]?.answer('third');
  expect(await Promise.all(all)).toEqual(['first', 'second', 'third']);
});

test('who gives up waiting is passed over, and takes no place', async () => {
  const { begun, read } = held();
  const places = new Places(1);
  const first = places.run(read);
  const giving = new AbortController();
  const second = places.run(read, giving.signal);
  const third = places.run(read);
  giving.abort();
  await expect(second).rejects.toThrow(NotDelivered);
  await expect(places.run(read, AbortSignal.abort())).rejects.toThrow('too many events are under way');
  begun[0]?.answer('first');
  await settled();
  begun[1]?.answer('third');
  expect([await first, await third]).toEqual(['first', 'third']);
  // A run with a place keeps it: its work has a signal of its own.
  expect(await places.run(async () => 'last', giving.signal)).toBe('last');
});

test('who fails gives the place back', async () => {
  const { begun, read } = held();
  const places = new Places(1);
  const failing = places.run(read);
  begun[0]?.fail(new Error('no'));
  await expect(failing).rejects.toThrow('no');
  expect(await places.run(async () => 'next')).toBe('next');
});

test('a place that nobody waits for is free again, and no more than it was', async () => {
  const { begun, read } = held();
  const places = new Places(1);
  await places.run(async () => 'before');
  void places.run(read);
  void places.run(read);
  await settled();
  expect(begun).toHaveLength(1);
});
