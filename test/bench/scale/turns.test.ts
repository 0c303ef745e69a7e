import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

test('turns come in the order in which they were asked for, and none to who went away', async () => {
  const turns = new Turns(1);
  const stays = new AbortController().signal;
  const leaving = new AbortController();
  const said: string[] = [];
  const ask = (name: string, signal = stays): void =>
    void turns.take(signal).then((hasCome) => said.push(`${name} ${hasCome ? 'comes' : 'left'}`));
  ask('first');
  ask('second', leaving.signal);
  ask('third');
  await Promise.resolve();
  expect(turns.waiting).toBe(2);

  leaving.abort();
  turns.giveBack();
  await Promise.resolve();

  expect(said).toEqual(['first comes', 'second left', 'third comes']);
  expect(turns.waiting).toBe(0);
});

test('nothing is taken for who is gone already', async () => {
  const turns = new Turns(1);

  expect(await turns.take(AbortSignal.abort())).toBe(false);
  expect(await turns.take(new AbortController().signal)).toBe(true);
});
