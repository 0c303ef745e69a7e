import { expect, test } from 'vitest';
import { Cache } from '../../../shared/cache/cache.ts';
import { keepUnsent, takeUnsent } from '../../../shared/cache/ledger.ts';
import type { MachineEvent } from '../../../shared/machine/report.ts';
import { clockOf } from '../../builders/clock.ts';

const fact = (message: string): MachineEvent => ({ type: 'Warning', reason: 'FailedDelete', message });

function keeping() {
  const time = { now: 0 };
  const cache = new Cache(clockOf(() => time.now));
  return {
    cache,
    keep: (seq: number, facts: readonly MachineEvent[]) => keepUnsent(cache, 'm', seq, facts),
    pass: (seconds: number) => {
      time.now += seconds * 1_000;
    },
    taken: (seq = 1) => takeUnsent(cache, 'm', seq).map(({ message }) => message),
  };
}

test('what is owed rests for half a minute, and is owed once', () => {
  const { keep, pass, taken } = keeping();
  keep(1, [fact('a')]);
  pass(29.999);
  expect(taken()).toEqual([]);
  pass(0.001);
  expect(taken()).toEqual(['a']);
  expect(taken()).toEqual([]);
});

test('what is owed later waits with what was owed before, and puts it off no longer', () => {
  const { keep, pass, taken } = keeping();
  keep(1, [fact('a')]);
  pass(20);
  keep(1, [fact('b')]);
  pass(10);
  expect(taken()).toEqual(['a', 'b']);
});

test('ten are owed at most: the last ones', () => {
  const { keep, pass, taken } = keeping();
  keep(
    1,
    Array.from({ length: 12 }, (_, index) => fact(`${index}`)),
  );
  pass(30);
  expect(taken()).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', '10', '11']);
});

test('what is of an earlier step is not owed any more', () => {
  const { keep, pass, taken } = keeping();
  keep(1, [fact('a')]);
  keep(2, [fact('b')]);
  pass(30);
  expect(taken(2)).toEqual(['b']);
  keep(2, [fact('b')]);
  expect(taken(3)).toEqual([]);
  pass(30);
  expect(taken(2)).toEqual([]);
});

test('nothing is owed of a Machine that is gone, nor of another one', () => {
  const { cache, keep, pass, taken } = keeping();
  keep(1, [fact('a')]);
  keepUnsent(cache, 'other', 1, [fact('b')]);
  cache.rememberGone('m');
  pass(30);
  expect(taken()).toEqual([]);
  expect(takeUnsent(cache, 'other', 1)).toEqual([fact('b')]);
});
