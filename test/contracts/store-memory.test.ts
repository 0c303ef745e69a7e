import { beforeEach, describe } from 'vitest';
import type { Archive } from '../../shared/store/clue.ts';
import { createMemoryStore } from '../../shared/store/in-memory.ts';
import { describeClaims } from './store/claims.ts';
import { describeDueLooks } from './store/due-looks.ts';
import { describeEvictions } from './store/evictions.ts';
import { describeHistory } from './store/history.ts';
import { describeHooks } from './store/hooks.ts';
import { describePointers } from './store/pointers.ts';
import { aMachine, type Subject, TestClock } from './store/subject.ts';

describe('the store: memory', () => {
  const clock = new TestClock();
  const parts = () => {
    const store = createMemoryStore(clock);
    return { store, another: () => store, machine: aMachine(), start: clock.now() };
  };
  const subject: Subject & { store: Archive } = { clock, ...parts() };

  beforeEach(() => {
    Object.assign(subject, parts());
  });

  describeEvictions(subject);
  describeDueLooks(subject);
  describeClaims(subject);
  describeHistory(subject);
  describeHooks(subject);
  describePointers(subject);
});
