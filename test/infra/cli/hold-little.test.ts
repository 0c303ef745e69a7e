import { expect, test } from 'vitest';
import { holdLittle } from '../../../infra/cli/run/run.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';

function given() {
  const told: string[] = [];
  const listeners: { gone(uid: string): void }[] = [];
  const clock = manualClock();
  const heap = { keepSmall: () => void told.push('keep small'), giveBack: () => void told.push('give back') };
  const stop = holdLittle(heap, { listen: (listener) => void listeners.push(listener) }, clock);
  return { told, clock, stop, gone: () => listeners.forEach((listener) => listener.gone('uid')) };
}

test('memory is given back once, five seconds after the last Machine has gone', async () => {
  const { told, clock, gone } = given();
  gone();
  await clock.advance(4_999);
  gone();
  await clock.advance(4_999);
  expect(told).toEqual(['keep small']);
  await clock.advance(1);
  await clock.advance(60_000);
  expect(told).toEqual(['keep small', 'give back']);
});

test('no memory is given back by a run that has ended', async () => {
  const { told, clock, gone, stop } = given();
  gone();
  stop();
  await clock.advance(60_000);
  expect(told).toEqual(['keep small']);
});
