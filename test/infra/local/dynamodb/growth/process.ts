import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startDynamoDb } from '../../../../../infra/local/store/dynamodb.ts';
import { dueShards } from '../../../../../shared/adapters/dynamodb/attributes.ts';
import { createStoreClient } from '../../../../../shared/adapters/dynamodb/client.ts';
import { createDynamoStore, type DynamoStore } from '../../../../../shared/adapters/dynamodb/store.ts';
import { forEachLimited } from '../../../../../shared/async/parallel.ts';
import { stopwatchBy, systemClock } from '../../../../../shared/time/clock.ts';
import { createBareClient } from './bare-client.ts';

/** Run as a process of its own: works on an embedded store, and prints what it holds in between. */

const day = 24 * 60 * 60 * 1_000;
let now = Date.UTC(2026, 0, 1);
const clock = { ...systemClock, now: () => now, stopwatch: () => stopwatchBy(() => now) };

const engine = await startDynamoDb({ clock });
const sdk = createStoreClient({ endpoint: engine.endpoint });
const bare = createBareClient(engine.endpoint);
const options = { table: 'phaseout', clock, timeoutMilliseconds: 60_000 };
const [asRun, fast] = [sdk, bare].map((client) => createDynamoStore({ ...options, client }));
if (asRun === undefined || fast === undefined) throw new Error('there are two stores');
await asRun.ensureTable();

/** One in fifty goes through the SDK, which takes most of the time that a call takes. */
const storeFor = (index: number): DynamoStore => (index % 50 === 0 ? asRun : fast);

async function each(count: number, run: (store: DynamoStore, index: number) => Promise<unknown>) {
  const indexes = Array.from({ length: Math.ceil(count) }, (_, index) => index);
  await forEachLimited(indexes, (index) => run(storeFor(index), index));
}

const aMachine = (name: string) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  namespace: 'default',
  name,
  uid: `uid-${name}`,
});

const scheduleAndUnschedule = (store: DynamoStore, index: number): Promise<void> => {
  const look = { machine: aMachine(`waiting-${index}`), at: now + 20_000, failures: 0 };
  return store.schedule(look).then(() => store.unschedule(look.machine.uid, look));
};

const words = 'Cannot evict pod as it would violate the disruption budget of the Pod. '.repeat(5);

/** What a deletion leaves. */
async function deletion(store: DynamoStore, index: number): Promise<void> {
  const machine = aMachine(`deleted-${now}-${index}`);
  const refusal = { cause: 'BudgetExhausted', text: words } as const;
  const pods = ['a', 'b', 'c'].map((podUid) => ({ podUid, namespace: 'shop', name: podUid, at: now }));
  const entry = { at: now, phase: 'drain', what: 'waited', reason: '', message: words, by: 'a' } as const;
  await store.schedule({ machine, at: now + day, failures: 0 });
  await store.recordEvictions(
    machine,
    pods.map((pod) => ({ ...pod, outcome: 'refused', refusal })),
  );
  await store.appendHistory(
    machine,
    ['1', '2', '3'].map((id) => ({ ...entry, id })),
  );
}

/** A sweep asks for what is due with a query for each shard. */
async function work(counts: { looks: number; sweeps: number; deletions: number }): Promise<void> {
  await each(counts.looks, scheduleAndUnschedule);
  await each(counts.deletions, deletion);
  await each(counts.sweeps, (store) => store.due(now, 10));
  // Past every retention.
  now += 31 * day;
  await asRun?.due(now, 10);
}

const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

async function measure(): Promise<void> {
  // What has just been closed lets go a moment later.
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (let times = 0; times < 3; times += 1) collectGarbage();
  const memory = process.memoryUsage();
  const held = {
    heapUsed: mebibytes(memory.heapUsed),
    external: mebibytes(memory.external),
    arrayBuffers: mebibytes(memory.arrayBuffers),
  };
  process.stdout.write(`${JSON.stringify(held)}\n`);
}

await work({ looks: 1_000, sweeps: 1_000 / dueShards.length, deletions: 1_000 });
await measure();
await work({ looks: 99_000, sweeps: 9_000 / dueShards.length, deletions: 4_000 });
await measure();
sdk.destroy();
await bare.close();
await engine.close();
