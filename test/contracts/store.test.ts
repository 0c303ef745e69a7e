import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Archive } from '../../shared/store/clue.ts';
import { createMemoryStore } from '../../shared/store/in-memory.ts';
import { testAnyAttempts } from './store/any-attempts.ts';
import { describeClaims } from './store/claims.ts';
import { describeDueLooks } from './store/due-looks.ts';
import { engines, type OpenStore } from './store/engines.ts';
import { describeEvictions } from './store/evictions.ts';
import { describeHistory } from './store/history.ts';
import { describeHooks } from './store/hooks.ts';
import { describePointers } from './store/pointers.ts';
import { aMachine, day, type Subject, TestClock } from './store/subject.ts';

describe.each(engines())('the store: $name', (engine) => {
  const clock = new TestClock();
  const store = createMemoryStore(clock);
  // Filled again before each test.
  const subject: Subject & { store: Archive } = {
    clock,
    store,
    another: () => store,
    machine: aMachine(),
    start: clock.now(),
  };
  let opened: OpenStore;

  beforeAll(async () => {
    opened = await engine.open(clock);
  }, 60_000);
  afterAll(() => opened.close());
  beforeEach(() => {
    // The tests of one engine share a table. A month apart, none meets the looks of another.
    clock.pass(30 * day);
    Object.assign(subject, opened, { machine: aMachine(), start: clock.now() });
  });

  describeEvictions(subject);
  testAnyAttempts(subject);
  describeDueLooks(subject);
  describeClaims(subject);
  describeHistory(subject);
  describeHooks(subject);
  describePointers(subject);

  test('all that it used of AWS is what the functions may do there, and nothing that they may do is missing', () => {
    expect([...opened.needed].toSorted()).toEqual(engine.permissions);
  });
});
