import { beforeEach, describe, expect, test } from 'vitest';
import { Outages } from '../../../shared/store/best-effort.ts';
import { clockOf } from '../../builders/clock.ts';

// The store's absence by itself; what a store does with it is told beside the forgiving one.

let now: number;
let passed: number;
let said: string[];
let outages: Outages;

beforeEach(() => {
  now = 1_000_000;
  passed = 0;
  said = [];
  outages = new Outages(
    clockOf(
      () => now,
      () => passed,
    ),
    (line) => said.push(line),
  );
});

describe('without an outage', () => {
  test('calls go on as usual', () => {
    expect(outages.pass()).toBe('usual');
    expect(outages.isOver).toBe(true);
  });

  test.each<[what: string, tell: (of: Outages) => void]>([
    ['a probe that ends well after all', (of) => of.succeeded('probe')],
    ['a probe that is given up', (of) => of.abandoned('probe')],
    ['a usual call that is given up', (of) => of.abandoned('usual')],
    ['a write that is lost', (of) => of.lost(1)],
  ])('nothing is said of %s, and nothing changes', (_what, tell) => {
    tell(outages);
    expect(said).toEqual([]);
    expect(outages.pass()).toBe('usual');
  });
});

/** Fails as often, each time as soon as a call may try again. */
const probe = (times: number): void => {
  for (let time = 0; time < times; time += 1) {
    now += 30_000;
    expect(outages.pass()).toBe('probe');
    outages.failed('probe', 'timeout');
  }
};

describe('in an outage', () => {
  beforeEach(() => outages.failed('usual', 'timeout'));

  test('one call at a time tries', () => {
    now += 1_000;
    expect([outages.pass(), outages.pass()]).toEqual(['probe', 'none']);
  });

  test('the next call tries when a probe was given up', () => {
    now += 1_000;
    outages.pass();
    outages.abandoned('probe');
    expect(outages.pass()).toBe('probe');
  });

  test('a usual call that was given up is not the probe', () => {
    now += 1_000;
    outages.pass();
    outages.abandoned('usual');
    expect(outages.pass()).toBe('none');
  });

  test('the longest pause is kept from its first moment to its last', () => {
    probe(6);
    expect(outages.pass()).toBe('none');
    now += 29_999;
    expect(outages.pass()).toBe('none');
    now += 1;
    expect(outages.pass()).toBe('probe');
  });

  test('a clock that was set back in a pause does not make it longer', () => {
    probe(6);
    now -= 3_600_000;
    passed += 29_999;
    expect(outages.pass()).toBe('none');
    passed += 1;
    expect(outages.pass()).toBe('probe');
  });
});
