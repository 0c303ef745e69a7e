import { expect, onTestFinished, test } from 'vitest';
import { factEvent } from '../../../events/fact.ts';
import type { FactEvent } from '../../../events/types.ts';
import { Following } from '../../../infra/cli/run/follow.ts';
import { Others } from '../../../infra/cli/run/others.ts';
import type { Reporter } from '../../../infra/cli/run/reporter.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { about, machine, pod, time } from '../../events/examples.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';
import { aWatchedCluster } from './watched-cluster.ts';

const { namespace, name, uid } = machine;
const nothing = (): void => undefined;

const theMachine = { metadata: { namespace, name, uid } };

/** Machines in a cluster, one by default, and what a reporter gets about them, in order. */
async function aFollowing(machines: KubeObject[] = [theMachine]) {
  const told: string[] = [];
  const cluster = await aWatchedCluster(machines);
  const reporter: Reporter = {
    begin: () => void told.push('begin'),
    serving: nothing,
    changed: ({ event }) => void told.push(event),
    other: nothing,
    gone: (journey) => void told.push(`${journey.machine} is gone, ${journey.evicted} evicted`),
    end: nothing,
    compared: nothing,
    kept: nothing,
    complain: nothing,
    close: nothing,
  };
  const clock = manualClock();
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const following = new Following(reporter, clock, ending.signal);
  const arrangement = { subject: '', url: '', startedAt: clock.now(), notes: [] };
  const begin = (): void =>
    following.begin({ ...arrangement, requests: () => [], others: () => [] }, cluster);
  return { told, cluster, clock, following, begin };
}

const started = factEvent({ ...about, kind: 'started' }, time);
const completed = factEvent({ ...about, kind: 'completed' }, time);
const evicted = factEvent({ ...about, kind: 'pod-evicted', pod, seq: 3 }, time);
const refused = (text: string, seq: number): FactEvent =>
  factEvent({ ...about, kind: 'pod-refused', pod, cause: 'BudgetExhausted', text, seq }, time);

test('what is told before everything stands is shown once it does', async () => {
  const { told, following, begin } = await aFollowing();
  following.tell(started);
  following.tell(evicted);
  expect(told).toEqual([]);
  begin();
  expect(told).toEqual(['begin', 'deleting', 'evicted']);
});

test('a refusal that is told again is no news, and one for another reason is', async () => {
  const { told, following, begin } = await aFollowing();
  begin();
  for (const fact of [refused('no room', 2), refused('no room', 3), refused('none at all', 4)])
    following.tell(fact);
  expect(told).toEqual(['begin', 'refused', 'refused']);
});

// The events of a Machine and the answers of the API come by different ways.
test('the last fact may come up to a second after the Machine is gone', async () => {
  const { told, cluster, clock, following, begin } = await aFollowing();
  begin();
  following.tell(started);
  cluster.drop(theMachine);
  await clock.advance(900);
  expect(told).toEqual(['begin', 'deleting']);
  following.tell(completed);
  await clock.advance(100);
  expect(told).toEqual(['begin', 'deleting', 'released', 'fleet/worker-7 is gone, 0 evicted']);
});

test('a Machine without a last fact is gone a second later, and nothing is heard of it after that', async () => {
  const { told, cluster, clock, following, begin } = await aFollowing();
  begin();
  following.tell(started);
  following.tell(evicted);
  cluster.drop(theMachine);
  await clock.advance(1_500);
  following.tell(evicted);
  following.tell(completed);
  expect(told).toEqual(['begin', 'deleting', 'evicted', 'fleet/worker-7 is gone, 1 evicted']);
});

test('another Machine of its name is another one, from its beginning', async () => {
  const { told, cluster, clock, following, begin } = await aFollowing();
  begin();
  following.tell(started);
  following.tell(evicted);
  const next = { ...machine, uid: 'another' };
  const itsObject = { metadata: { namespace, name, uid: next.uid } };
  cluster.drop(theMachine);
  cluster.put(itsObject);
  await clock.advance(1_500);
  following.tell(factEvent({ ...about, machine: next, kind: 'started' }, time));
  cluster.drop(itsObject);
  await clock.advance(1_500);
  expect(told).toEqual([
    'begin',
    'deleting',
    'evicted',
    'fleet/worker-7 is gone, 1 evicted',
    'deleting',
    'fleet/worker-7 is gone, 0 evicted',
  ]);
});

const waiting = (index: number) => {
  const at = { ...machine, name: `worker-${index}`, uid: `uid-${index}` };
  return {
    object: {
      metadata: { namespace, name: at.name, uid: at.uid, deletionTimestamp: new Date(time).toISOString() },
    },
    fact: factEvent(
      { ...about, machine: at, kind: 'hook-waiting', point: 'pre-drain', hooks: ['a'], owners: {} },
      time,
    ),
  };
};

test('a hundred Machines that wait for a minute cost no request, neither does the end of one', async () => {
  const fleet = Array.from({ length: 100 }, (_, index) => waiting(index));
  const { told, cluster, clock, following, begin } = await aFollowing(fleet.map(({ object }) => object));
  begin();
  const others = new Others(cluster, nothing);
  for (const { fact } of fleet) following.tell(fact);
  for (let second = 0; second < 60; second += 1) {
    await clock.advance(1_000);
    others.list();
  }
  cluster.drop(fleet[7]!.object);
  await clock.advance(1_000);
  expect(told.at(-1)).toBe('fleet/worker-7 is gone, 0 evicted');
  expect(cluster.kubernetes.reads).toEqual([]);
});

test('a Machine that went while its watch was away is told by the next list', async () => {
  const { told, cluster, clock, following, begin } = await aFollowing();
  begin();
  following.tell(started);
  cluster.silently.drop(theMachine);
  await clock.advance(60_000);
  expect(told).toEqual(['begin', 'deleting']);
  await cluster.list();
  await clock.advance(1_000);
  expect(told).toEqual(['begin', 'deleting', 'fleet/worker-7 is gone, 0 evicted']);
  expect(cluster.gets()).toEqual([]);
});

test('a Machine that lost its finalizer is asked for once, in case that its watch is dead', async () => {
  const { told, cluster, clock, following, begin } = await aFollowing();
  begin();
  following.tell(started);
  cluster.silently.drop(theMachine);
  following.tell(completed);
  following.tell(completed);
  await clock.advance(1_000);
  expect(told.at(-1)).toBe('fleet/worker-7 is gone, 0 evicted');
  expect(cluster.gets()).toEqual(['get machines/fleet/worker-7']);
});

test('a Machine that finalizers of others hold is asked for no more than once', async () => {
  const { told, cluster, clock, following, begin } = await aFollowing();
  begin();
  following.tell(started);
  following.tell(completed);
  await clock.advance(60_000);
  expect(told.at(-1)).toBe('released');
  expect(cluster.gets()).toHaveLength(1);
  cluster.drop(theMachine);
  await clock.advance(0);
  expect(told.at(-1)).toBe('fleet/worker-7 is gone, 0 evicted');
});

test('a Machine that no watch shows is asked for every five seconds', async () => {
  const { told, cluster, clock, following, begin } = await aFollowing([]);
  cluster.silently.put(theMachine);
  begin();
  following.tell(started);
  await clock.advance(14_000);
  expect(cluster.gets()).toHaveLength(3);
  cluster.silently.drop(theMachine);
  await clock.advance(2_000);
  expect(told.at(-1)).toBe('fleet/worker-7 is gone, 0 evicted');
});

test('a Machine that is gone before anything is told of it is gone at once', async () => {
  const { told, clock, following, begin } = await aFollowing([]);
  begin();
  following.tell(started);
  await clock.advance(1_000);
  expect(told).toEqual(['begin', 'deleting', 'fleet/worker-7 is gone, 0 evicted']);
});

test('an API server that does not answer says nothing of an end', async () => {
  const { told, cluster, clock, following, begin } = await aFollowing([]);
  cluster.kubernetes.on(
    'get machines/fleet/worker-7',
    () => {
      throw new Unavailable('down');
    },
    2,
  );
  begin();
  following.tell(started);
  await clock.advance(9_000);
  expect(told).toEqual(['begin', 'deleting']);
  await clock.advance(2_000);
  expect(told.at(-1)).toBe('fleet/worker-7 is gone, 0 evicted');
});
