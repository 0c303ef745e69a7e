import { onTestFinished } from 'vitest';
import { main } from '../../../../infra/cli/main.ts';
import { startDynamoDb } from '../../../../infra/local/store/dynamodb.ts';
import { createStoreClient } from '../../../../shared/adapters/dynamodb/client.ts';
import { createDynamoStore } from '../../../../shared/adapters/dynamodb/store.ts';
import type { EvictionRecord } from '../../../../shared/drain/pod-record.ts';
import type { HistoryEntry } from '../../../../shared/store/port.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { anOutside } from '../outside.ts';

const minute = 60_000;

const now = Date.UTC(2026, 10, 27, 12);

/** It stands still, but time limits of calls go by the real time. */
export const clock = { ...systemClock, now: () => now };

export const firstUid = '11111111-1111-4111-8111-111111111111';
export const secondUid = '22222222-2222-4222-8222-222222222222';

export const aMachine = (uid: string, name = 'worker-1', apiVersion = 'cluster.x-k8s.io/v1beta2') => ({
  apiVersion,
  namespace: 'fleet',
  name,
  uid,
});

/** Of a time so many minutes ago. */
export const anEntry = (minutesAgo: number, entry: Partial<HistoryEntry> = {}): HistoryEntry => ({
  at: now - minutesAgo * minute,
  id: `000001-${new Date(now - minutesAgo * minute).toISOString()}`,
  phase: 'drain',
  what: 'waited',
  reason: 'DrainingNode',
  message: 'Drain not completed yet (started at 2026-11-27T10:00:00Z):\n* Pod shop/web-1: waits',
  by: 'phaseout-1',
  node: 'node-1',
  ...entry,
});

export const anEviction = (minutesAgo: number, eviction: Partial<EvictionRecord> = {}): EvictionRecord => ({
  podUid: 'pod-1',
  namespace: 'shop',
  name: 'web-1',
  at: now - minutesAgo * minute,
  outcome: 'accepted',
  ...eviction,
});

/** A DynamoDB with a table, and the functions' store on it. */
export async function aStore(table = 'phaseout') {
  const engine = await startDynamoDb({ clock });
  const client = createStoreClient({ endpoint: engine.endpoint });
  onTestFinished(() => {
    client.destroy();
    return engine.close();
  });
  const store = createDynamoStore({ client, table, clock, timeoutMilliseconds: 10_000 });
  await store.ensureTable();
  return { store, client, endpoint: engine.endpoint };
}

/** Runs `phaseout history`. `said`: what it has to say of what it could not do. */
export async function history(args: readonly string[], env: Record<string, string> = {}) {
  const { outside, written } = await anOutside({ clock, env });
  const code = await main(['history', ...args], outside);
  return { code, lines: written.stdout.trimEnd().split('\n'), said: written.stderr.trimEnd().split('\n') };
}
