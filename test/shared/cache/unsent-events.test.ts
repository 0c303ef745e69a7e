import { expect, test } from 'vitest';
import { OwedEvents } from '../../../shared/cache/unsent-events.ts';
import type { MachineEvent } from '../../../shared/machine/kubernetes-event.ts';
import { clockOf } from '../../builders/clock.ts';

const fact = (message: string): MachineEvent => ({ type: 'Warning', reason: 'FailedDelete', message });

function owing(): { owed: OwedEvents; pass: (seconds: number) => void; taken: (seq?: number) => string[] } {
  const time = { now: 0 };
  const owed = new OwedEvents(clockOf(() => time.now));
  return {
    owed,
    pass(seconds) {
      time.now += seconds * 1_000;
    },
    taken: (seq = 1) => owed.take('m', seq).map(({ message }) => message),
  };
}

test('what is owed rests for half a minute, and is owed once', () => {
  const { owed, pass, taken } = owing();
  owed.owe('m', 1, [fact('a')]);
  pass(29.999);
  expect(taken()).toEqual([]);
  pass(0.001);
  expect(taken()).toEqual(['a']);
  expect(taken()).toEqual([]);
});

test('what is owed later waits with what was owed before, and puts it off no longer', () => {
  const { owed, pass, taken } = owing();
  owed.owe('m', 1, [fact('a')]);
  pass(20);
  owed.owe('m', 1, [fact('b')]);
  pass(10);
  expect(taken()).toEqual(['a', 'b']);
});

test('ten are owed at most: the last ones', () => {
  const { owed, pass, taken } = owing();
  owed.owe(
    'm',
    1,
    Array.from({ length: 12 }, (_, index) => fact(`${index}`)),
  );
  pass(30);
  expect(taken()).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', '10', '11']);
});

test('what is of an earlier step is not owed any more', () => {
  const { owed, pass, taken } = owing();
  owed.owe('m', 1, [fact('a')]);
  owed.owe('m', 2, [fact('b')]);
  pass(30);
  expect(taken(2)).toEqual(['b']);
  owed.owe('m', 2, [fact('b')]);
  expect(taken(3)).toEqual([]);
  pass(30);
  expect(taken(2)).toEqual([]);
});

test('nothing is owed of a Machine that is forgotten, nor of another one', () => {
  const { owed, pass, taken } = owing();
  owed.owe('m', 1, [fact('a')]);
  owed.owe('other', 1, [fact('b')]);
  owed.forget('m');
  pass(30);
  expect(taken()).toEqual([]);
  expect(owed.take('other', 1)).toEqual([fact('b')]);
});
