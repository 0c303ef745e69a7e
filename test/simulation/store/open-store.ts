import { HurriedClock } from '../../../infra/local/platform/fast-clock.ts';
import { createDynamoStore, type DynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import type { EvictionRecord } from '../../../shared/drain/pod-record.ts';
import { forgivingStore } from '../../../shared/store/best-effort.ts';
import type { ForgivingStore, HistoryEntry, Requeue } from '../../../shared/store/port.ts';
import { createSimulatedStoreClient } from './client.ts';
import type { StoreCommand } from './command.ts';
import type { StoreFault } from './faults.ts';
import { createSimulatedTable, type SimulatedTable } from './table.ts';

export const start = Date.UTC(2026, 0, 1);

export const machine = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  namespace: 'default',
  name: 'worker-1',
  uid: 'uid-1',
};

export const aLook = (overrides: Partial<Requeue> = {}): Requeue => ({
  machine,
  at: start,
  failures: 0,
  ...overrides,
});

export const anEviction = (overrides: Partial<EvictionRecord> = {}): EvictionRecord => ({
  podUid: 'pod-1',
  namespace: 'shop',
  name: 'cart-0',
  at: start,
  outcome: 'accepted',
  ...overrides,
});

export const anEntry = (overrides: Partial<HistoryEntry> = {}): HistoryEntry => ({
  at: start,
  id: '1',
  phase: 'drain',
  what: 'waited',
  reason: 'DrainingNode',
  message: '',
  by: 'a',
  ...overrides,
});

/** A simulated table with the store on it. `faults` are the fates of its next calls, in order; later calls succeed. */
export interface OpenStore {
  clock: HurriedClock;
  table: SimulatedTable;
  dynamo: DynamoStore;
  store: ForgivingStore;
  /** What becomes of the calls that come next. */
  faults: StoreFault[];
  asked: StoreCommand[];
  labels: string[];
  /** What the store logged. */
  lines: string[];
  /** The answer, and how long it took by the clock. */
  inTime: <T>(run: () => Promise<T>) => Promise<{ answer: T; milliseconds: number }>;
  pass: (milliseconds: number) => Promise<void>;
}

export function openStore(
  faults: StoreFault[],
  step: (label: string) => Promise<void> = () => Promise.resolve(),
): OpenStore {
  const clock = new HurriedClock(start);
  const table = createSimulatedTable();
  const [asked, labels, lines]: [StoreCommand[], string[], string[]] = [[], [], []];
  const client = createSimulatedStoreClient(table, {
    clock,
    step(label) {
      labels.push(label);
      return step(label);
    },
    faults(command) {
      asked.push(command);
      return faults.shift() ?? 'none';
    },
  });
  const dynamo = createDynamoStore({ client, table: 'phaseout', clock });
  const store = forgivingStore(dynamo, { clock, log: (line) => lines.push(line) });
  const pass = async (milliseconds: number): Promise<void> => {
    clock.after(milliseconds, () => undefined);
    await clock.passUntil(clock.now() + milliseconds, () => false);
  };
  return {
    clock,
    table,
    dynamo,
    store,
    faults,
    asked,
    labels,
    lines,
    pass,
    inTime: (run) => inTime(clock, run),
  };
}

async function inTime<T>(
  clock: HurriedClock,
  run: () => Promise<T>,
): Promise<{ answer: T; milliseconds: number }> {
  const begun = clock.now();
  let isOver = false;
  const answer = run().finally(() => {
    isOver = true;
  });
  await clock.passUntil(Infinity, () => isOver);
  return { answer: await answer, milliseconds: clock.now() - begun };
}
