import { expect, test } from 'vitest';
import { Places } from '../../../../shared/runtime/http/places.ts';
import { held, settled } from '../reads.ts';

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
