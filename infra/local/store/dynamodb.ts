import { createServer } from 'node:http';
import { type Clock, systemClock } from '../../../shared/time/clock.ts';
import { listenerOn } from '../dynamodb/http.ts';
import { Tables } from '../dynamodb/tables.ts';
import { closeNow, listenLocally } from '../kubernetes/server/listen.ts';

export interface LocalDynamoDb {
  endpoint: string;
  /** For who is in this process and needs no HTTP. */
  tables: Tables;
  close(): Promise<void>;
}

export interface LocalDynamoDbOptions {
  /** Says what has expired. The computer's by default. */
  clock?: Clock;
  /** How long a new table is not active. None by default. */
  createTableMilliseconds?: number;
}

/**
 * An embedded DynamoDB on 127.0.0.1, in memory. It knows what the store needs, refuses all else, and drops what has
 * expired. Clients need static credentials, any at all, or they go looking for some elsewhere.
 */
export async function startDynamoDb(options: LocalDynamoDbOptions = {}): Promise<LocalDynamoDb> {
  const { clock = systemClock, createTableMilliseconds = 0 } = options;
  const tables = new Tables({ clock, createMilliseconds: createTableMilliseconds });
  // No idle connection is closed by this end: a call that its client is just sending would be lost.
  const server = createServer({ keepAliveTimeout: 0 }, listenerOn(tables));
  const endpoint = await listenLocally(server);
  return { endpoint, tables, close: () => closeNow(server) };
}
