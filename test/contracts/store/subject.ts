import { randomUUID } from 'node:crypto';
import type { EvictionRecord } from '../../../shared/drain/pod-record.ts';
import type { MachineRef } from '../../../shared/machine/machine.ts';
import type { HistoryEntry, Requeue, Store } from '../../../shared/store/port.ts';
import {
  type Clock,
  type Instant,
  type Stopwatch,
  stopwatchBy,
  systemClock,
} from '../../../shared/time/clock.ts';

export const second = 1_000;
export const day = 24 * 60 * 60 * second;

/** Far ahead, so that an engine that removes what has expired removes nothing by the real time. */
export class TestClock implements Clock {
  #now: Instant = Date.UTC(2040, 0, 1);

  now(): Instant {
    return this.#now;
  }

  stopwatch(): Stopwatch {
    return stopwatchBy(() => this.#now);
  }

  after(milliseconds: number, run: () => void): () => void {
    return systemClock.after(milliseconds, run);
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** What a test of the contract gets: a store with a Machine and a month of its own. */
export interface Subject {
  clock: TestClock;
  store: Store;
  /** Another instance's store, on the same data. */
  another(): Store;
  machine: MachineRef;
  start: Instant;
}

export const aMachine = (uid: string = randomUUID()): MachineRef => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  namespace: 'default',
  name: 'worker-1',
  uid,
});

export const exhausted = { cause: 'BudgetExhausted', text: 'Cannot evict pod', budget: 'shop/cart' } as const;

export const anEviction = (subject: Subject, overrides: Partial<EvictionRecord> = {}): EvictionRecord => ({
  podUid: 'pod-1',
  namespace: 'shop',
  name: 'cart-0',
  at: subject.start,
  outcome: 'accepted',
  ...overrides,
});

export const aRefusal = (subject: Subject, overrides: Partial<EvictionRecord> = {}): EvictionRecord =>
  anEviction(subject, { outcome: 'refused', refusal: exhausted, ...overrides });

/** Due `afterSeconds` from the start of the test. */
export const aLook = (subject: Subject, afterSeconds = 0, overrides: Partial<Requeue> = {}): Requeue => ({
  machine: subject.machine,
  at: subject.start + afterSeconds * second,
  failures: 0,
  ...overrides,
});

export const anEntry = (subject: Subject, overrides: Partial<HistoryEntry> = {}): HistoryEntry => ({
  at: subject.start,
  id: '1',
  phase: 'drain',
  what: 'waited',
  reason: 'DrainingNode',
  message: 'Drain not completed yet',
  by: 'phaseout-7d9f',
  ...overrides,
});
