import { type Archive, placesBy } from '../../store/clue.ts';
import type { Store } from '../../store/port.ts';
import { historyRetentionSeconds } from '../../store/retention.ts';
import type { Clock } from '../../time/clock.ts';
import { hearOf, releaseClaim, takeClaim } from './claim.ts';
import { Connection } from './connection.ts';
import type { TableSetUp } from './create-table.ts';
import { dueLooks, scheduleLook, unscheduleLook } from './due.ts';
import { appendEntries, entriesOf, machineOf, machinesAt } from './history.ts';
import { recordTurn, turnsOf } from './hooks.ts';
import { recordAttempts, recordsOf } from './pods.ts';
import { Pointers } from './pointers.ts';
import type { TableClient } from './table-client.ts';

export interface DynamoStoreOptions {
  client: TableClient;
  table: string;
  clock: Clock;
  /** How long the history is kept after it was written. 30 days by default. */
  retentionSeconds?: number;
  /** For each call to DynamoDB, its retry included. 5 s by default: an instance with too much to do reads answers late. */
  timeoutMilliseconds?: number;
}

/** A store on a DynamoDB table. */
export interface DynamoStore extends Store, Archive {
  /** Creates the table unless it is there, and waits until it can be used. Nothing else creates it. */
  ensureTable(): Promise<TableSetUp>;
}

/** The store in one DynamoDB table. Every failure is a StoreUnavailable. */
export function createDynamoStore(options: DynamoStoreOptions): DynamoStore {
  const { client, table, clock, timeoutMilliseconds = 5_000 } = options;
  const retentionSeconds = options.retentionSeconds ?? historyRetentionSeconds;
  const connection = new Connection({ client, table, clock, timeoutMilliseconds });
  const pointers = new Pointers(connection, retentionSeconds);

  return {
    ensureTable: () => connection.ensureTable(),
    recordEvictions: (machine, evictions) => recordAttempts(connection, evictions, { machine, pointers }),
    podRecords: (machineUid) => recordsOf(connection, machineUid),
    recordHook: (machine, record) => recordTurn(connection, machine.uid, record),
    hookRecords: (machineUid) => turnsOf(connection, machineUid),
    schedule: (look) => scheduleLook(connection, look),
    due: (now, limit) => dueLooks(connection, now, limit),
    unschedule: (machineUid, look) => unscheduleLook(connection, machineUid, look),
    claim: (claim) => takeClaim(connection, claim),
    release: (release) => releaseClaim(connection, release),
    hear: (machineUid, resourceVersion) => hearOf(connection, machineUid, resourceVersion),
    appendHistory: (machine, entries) =>
      appendEntries(connection, entries, { machine, pointers, retentionSeconds }),
    history: (machineUid) => entriesOf(connection, machineUid),
    machinesBy: (clue) =>
      clue.kind === 'uid'
        ? machineOf(connection, clue.uid)
        : machinesAt(connection, placesBy(clue, clock.now())),
  };
}
