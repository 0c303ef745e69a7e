import { expect, onTestFinished, test } from 'vitest';
import { announce } from '../../../events/announce.ts';
import type { FactEvent } from '../../../events/types.ts';
import { Following } from '../../../infra/cli/run/follow.ts';
import type { Reporter } from '../../../infra/cli/run/reporter.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { FakeCluster } from '../../builders/fake-cluster.ts';
import { about, machine, pod, time } from '../../events/examples.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';
import { servedAs } from '../host/served-as.ts';

const path = 'machines/fleet/worker-7';
const { namespace, name, uid } = machine;
const nothing = (): void => undefined;

/** One Machine in a cluster, and what a reporter is told of it, in order. */
function aFollowing() {
  const told: string[] = [];
  const kubernetes = new FakeCluster([]);
  kubernetes.put('machines', { metadata: { namespace, name, uid } });
  const reporter: Reporter = {
    begin: () => void told.push('begin'),
    serving: nothing,
    changed: ({ event }) => void told.push(event),
    other: nothing,
    gone: (journey) => void told.push(`${journey.machine} is gone, ${journey.evicted} evicted`),
    end: nothing,
    complain: nothing,
    close: nothing,
  };
  const clock = manualClock();
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const following = new Following(reporter, clock, ending.signal);
  const arrangement = { subject: '', url: '', startedAt: clock.now(), notes: [] };
  const begin = (): void =>
    following.begin(
      { ...arrangement, requests: () => [], others: () => [] },
      { kubernetes, machineApis: [servedAs(clusterApi, 'v1beta2')] },
    );
  return { told, kubernetes, clock, following, begin };
}

const started = announce({ ...about, kind: 'started' }, time);
const completed = announce({ ...about, kind: 'completed' }, time);
const evicted = announce({ ...about, kind: 'pod-evicted', pod, seq: 3 }, time);
const refused = (text: string, seq: number): FactEvent =>
  announce({ ...about, kind: 'pod-refused', pod, cause: 'BudgetExhausted', text, seq }, time);

test('what is told before everything stands is shown once it does', () => {
  const { told, following, begin } = aFollowing();
  following.tell(started);
  following.tell(evicted);
  expect(told).toEqual([]);
  begin();
  expect(told).toEqual(['begin', 'deleting', 'evicted']);
});

test('a refusal that is told again is no news, and one for another reason is', () => {
  const { told, following, begin } = aFollowing();
  begin();
  for (const fact of [refused('no room', 2), refused('no room', 3), refused('none at all', 4)])
    following.tell(fact);
  expect(told).toEqual(['begin', 'refused', 'refused']);
});

// The events of a Machine and the answers of the API come by different ways.
test('the last fact may come up to a second after the Machine is gone', async () => {
  const { told, kubernetes, clock, following, begin } = aFollowing();
  begin();
  following.tell(started);
  kubernetes.drop(path);
  await clock.advance(500);
  await clock.advance(900);
  expect(told).toEqual(['begin', 'deleting']);
  following.tell(completed);
  await clock.advance(100);
  expect(told).toEqual(['begin', 'deleting', 'released', 'fleet/worker-7 is gone, 0 evicted']);
});

test('a Machine without a last fact is gone a second later, and nothing is heard of it after that', async () => {
  const { told, kubernetes, clock, following, begin } = aFollowing();
  begin();
  following.tell(started);
  following.tell(evicted);
  kubernetes.drop(path);
  await clock.advance(1_500);
  following.tell(evicted);
  following.tell(completed);
  expect(told).toEqual(['begin', 'deleting', 'evicted', 'fleet/worker-7 is gone, 1 evicted']);
});

test('another Machine of its name is another one, from its beginning', async () => {
  const { told, kubernetes, clock, following, begin } = aFollowing();
  begin();
  following.tell(started);
  following.tell(evicted);
  const next = { ...machine, uid: 'another' };
  kubernetes.put('machines', { metadata: { namespace, name, uid: next.uid } });
  await clock.advance(1_500);
  following.tell(announce({ ...about, machine: next, kind: 'started' }, time));
  kubernetes.drop(path);
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
