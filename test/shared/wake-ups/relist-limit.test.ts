import { expect, test } from 'vitest';
import { Relisting } from '../../../shared/wake-ups/relisting.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';

const given = () => {
  const clock = manualClock();
  const looks: string[] = [];
  const relisting = new Relisting(clock);
  return { clock, looks, ask: (uid: string) => relisting.inTurn(uid, () => void looks.push(uid)) };
};

test('the first look is at once, of each Machine', () => {
  const { looks, ask } = given();
  ask('a');
  ask('b');
  expect(looks).toEqual(['a', 'b']);
});

test('the next one comes ten seconds after it', async () => {
  const { clock, looks, ask } = given();
  ask('a');
  await clock.advance(4_000);
  ask('a');
  await clock.advance(5_999);
  expect(looks).toEqual(['a']);
  await clock.advance(1);
  expect(looks).toEqual(['a', 'a']);
});

test('and not at all once it is stopped', async () => {
  const { clock, looks, ask } = given();
  ask('a');
  ask('a')();
  await clock.advance(10_000);
  expect(looks).toEqual(['a']);
});
