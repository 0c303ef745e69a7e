import { describe, expect, test } from 'vitest';
import { createUnderWay } from '../../../shared/async/under-way.ts';
import { settled } from '../reconcile/reads.ts';

/** Something under way with three runs. Each ends on demand. */
function threeUnderWay() {
  const underWay = createUnderWay<string>();
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const runs = ['a', 'b', 'c'].map((what) => {
    const end = Promise.withResolvers<string>();
    ends.set(what, end);
    return underWay.during(what, () => end.promise);
  });
  return {
    underWay,
    runs,
    end: (what: string) => ends.get(what)?.resolve(`end of ${what}`),
    fail: (what: string) => ends.get(what)?.reject(new Error(`failure of ${what}`)),
  };
}

describe('what is under way', () => {
  test('is told with the oldest first', () => {
    expect(threeUnderWay().underWay.all()).toEqual(['a', 'b', 'c']);
  });

  test('is not under way any more once it is over, however it ends, and the end is that of the run', async () => {
    const { underWay, runs, end, fail } = threeUnderWay();
    end('a');
    fail('b');
    expect(await runs[0]).toBe('end of a');
    await expect(runs[1]).rejects.toThrow('failure of b');
    expect(underWay.all()).toEqual(['c']);
  });

  test('is counted each for itself, also where two are alike', async () => {
    const { underWay, end } = threeUnderWay();
    void underWay.during('a', () => new Promise(() => undefined));
    end('a');
    await settled();
    expect(underWay.all()).toEqual(['b', 'c', 'a']);
  });
});

describe('idle', () => {
  test('is at once while nothing is under way', async () => {
    expect(await createUnderWay().idle()).toBeUndefined();
  });

  test('waits for all that is under way, and for what comes meanwhile, however it ends', async () => {
    const { underWay, runs, end, fail } = threeUnderWay();
    const late = Promise.withResolvers<void>();
    let isIdle = false;
    const waiting = underWay.idle().then(() => (isIdle = true));
    void underWay.during('late', () => late.promise);
    fail('a');
    end('b');
    end('c');
    await Promise.allSettled(runs);
    await settled();
    expect(isIdle).toBe(false);
    late.resolve();
    await waiting;
    expect(isIdle).toBe(true);
  });
});
