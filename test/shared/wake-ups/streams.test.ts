import { expect, test } from 'vitest';
import type { Advance } from '../../../shared/machine/messages.ts';
import type { WaitsFor } from '../../../shared/phase/decision.ts';
import { WatchingWakeUps } from '../../../shared/wake-ups/wake-ups.ts';
import { pod } from '../../builders/pods.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';
import { watchedApi } from '../reconcile/watches.ts';

const workload = { kind: 'cluster', namespace: 'default', clusterName: 'c' } as const;

const gone = (uids: string[], resourceVersion: string): WaitsFor => ({
  kind: 'pods-gone',
  nodeName: 'node-1',
  uids,
  resourceVersion,
});

const freed = (resourceVersion: string): WaitsFor => ({
  kind: 'budget-frees',
  namespace: 'shop',
  name: 'web',
  resourceVersion,
});

const aBudget = (disruptionsAllowed: number, resourceVersion: string) => ({
  metadata: { namespace: 'shop', name: 'web', uid: 'budget-uid', generation: 1, resourceVersion },
  status: { disruptionsAllowed, observedGeneration: 1 },
});

const command: Advance = {
  machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'fleet', name: 'a', uid: 'a' },
  phase: 'drain',
  seq: 1,
};

function given() {
  const clock = manualClock();
  const { api, watches } = watchedApi();
  let woken = 0;
  const forgotten: string[] = [];
  const wakeUps = new WatchingWakeUps({
    management: api,
    workloads: { of: async () => api },
    clock,
    log: { debug: () => undefined },
    gone: (_, { plural }, { metadata }) => forgotten.push(`${plural} ${metadata.name}`),
    wake: () => {
      woken += 1;
    },
    maxMachines: 3,
    lifetimeSeconds: 600,
  });
  const keep = async (...until: WaitsFor[]): Promise<void> => {
    wakeUps.keep(command, until, workload);
    await clock.advance(0);
  };
  return { clock, watches, keep, wakeUps, forgotten, woken: () => woken };
}

test('the next wait on the same Node goes on with the same watch', async () => {
  const { watches, keep, woken } = given();
  await keep(gone(['ns/a'], '900'));
  watches[0]!.change('DELETED', pod('ns/a'));
  await keep(gone(['ns/b'], '905'));
  watches[0]!.change('DELETED', pod('ns/b'));
  expect(watches).toHaveLength(1);
  expect(woken()).toBe(2);
});

test('what went while a step ran ends its wait at once', async () => {
  const { watches, keep, woken } = given();
  await keep(gone(['ns/a'], '900'));
  watches[0]!.change('DELETED', pod('ns/a'));
  watches[0]!.change('DELETED', pod('ns/b'));
  await keep(gone(['ns/b'], '905'));
  expect(woken()).toBe(2);
});

test('a budget that the step has read itself wakes nothing, a later version does', async () => {
  const { watches, keep, woken } = given();
  await keep(freed('10'));
  watches[0]!.change('MODIFIED', aBudget(1, '11'));
  await keep(freed('11'));
  expect(woken()).toBe(1);
  watches[0]!.change('MODIFIED', aBudget(1, '12'));
  expect(woken()).toBe(2);
});

test('a wait for something else closes the watches that it does not need', async () => {
  const { watches, keep } = given();
  await keep(gone(['ns/a'], '900'), freed('10'));
  await keep(gone(['ns/b'], '905'));
  expect(watches.map(({ isStopped }) => isStopped)).toEqual([false, true]);
});

test('where no other wait follows within ten seconds the watches are closed', async () => {
  const { clock, watches, keep } = given();
  await keep(gone(['ns/a'], '900'));
  watches[0]!.change('DELETED', pod('ns/a'));
  await clock.advance(9_999);
  expect(watches[0]!.isStopped).toBe(false);
  await clock.advance(1);
  expect(watches[0]!.isStopped).toBe(true);
});

test('a Machine that is dropped after its wait has no watch left', async () => {
  const { watches, keep, wakeUps } = given();
  await keep(gone(['ns/a'], '900'));
  watches[0]!.change('DELETED', pod('ns/a'));
  wakeUps.drop('a');
  expect(watches[0]!.isStopped).toBe(true);
});

test('the next wait opens another stream where one ends while a step runs', async () => {
  const { watches, keep, woken } = given();
  await keep(gone(['ns/a'], '900'));
  watches[0]!.change('DELETED', pod('ns/a'));
  watches[0]!.end(false);
  await keep(gone(['ns/b'], '905'));
  expect(watches.map(({ resourceVersion }) => resourceVersion)).toEqual(['900', '905']);
  watches[1]!.change('DELETED', pod('ns/b'));
  expect(woken()).toBe(2);
});

test('the next wait opens another stream where the list of the last has expired', async () => {
  const { watches, keep, woken } = given();
  await keep(gone(['ns/a'], '900'));
  watches[0]!.end(true);
  await keep(gone(['ns/a'], '905'));
  expect(watches.map(({ resourceVersion }) => resourceVersion)).toEqual(['900', '905']);
  watches[1]!.change('DELETED', pod('ns/a'));
  expect(woken()).toBe(2);
});

test('a stream that was cut goes on from where the latest wait began', async () => {
  const { clock, watches, keep, woken } = given();
  await keep(gone(['ns/a'], '900'));
  watches[0]!.end(false);
  watches[0]!.change('DELETED', pod('ns/a'));
  await keep(gone(['ns/b'], '905'));
  await clock.advance(200);
  expect(watches.map(({ resourceVersion }) => resourceVersion)).toEqual(['900', '905']);
  watches[1]!.change('DELETED', pod('ns/b'));
  expect(woken()).toBe(2);
});

test('the next wait opens another stream where the pause after a cut ends while a step runs', async () => {
  const { clock, watches, keep } = given();
  await keep(gone(['ns/a'], '900'));
  watches[0]!.end(false);
  watches[0]!.change('DELETED', pod('ns/a'));
  await clock.advance(200);
  expect(watches).toHaveLength(1);
  await keep(gone(['ns/b'], '905'));
  expect(watches.map(({ resourceVersion }) => resourceVersion)).toEqual(['900', '905']);
});

test('what goes while a step runs is told as well', async () => {
  const { watches, keep, forgotten } = given();
  await keep(gone(['ns/a'], '900'));
  watches[0]!.change('DELETED', pod('ns/a'));
  watches[0]!.change('DELETED', pod('ns/b'));
  expect(forgotten).toEqual(['pods a', 'pods b']);
});

test('a stream older than the lifetime of a watch is not gone on with: it may have fallen silent', async () => {
  const { clock, watches, keep } = given();
  for (let round = 0; round < 100; round += 1) {
    await keep(gone(['ns/a'], String(900 + round)));
    await clock.advance(7_000);
  }
  expect(watches.map(({ resourceVersion }) => resourceVersion)).toEqual(['900', '986']);
});

test('what a stream has shown ends one wait at most', async () => {
  const { watches, keep, woken } = given();
  const detached: WaitsFor = {
    kind: 'volumes-detached',
    nodeName: 'node-1',
    attached: [],
    nodeVersion: '',
    attachmentsVersion: '',
  };
  await keep(detached);
  const node = {
    metadata: { name: 'node-1', uid: 'node-uid-1' },
    status: { volumesAttached: [{ name: 'a' }] },
  };
  watches[0]!.change('MODIFIED', node);
  watches[0]!.change('MODIFIED', node);
  await keep(detached);
  await keep(detached);
  expect(woken()).toBe(2);
});
