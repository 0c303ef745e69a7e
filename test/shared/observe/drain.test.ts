import { describe, expect, test } from 'vitest';
import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { observeDrain } from '../../../shared/observe/drain.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { after, timeAfter } from '../../builders/cluster-api.ts';
import { pod, record } from '../../builders/pods.ts';
import { aNode, aSubject } from '../../builders/subject.ts';
import { aWorld, type World } from '../../builders/world.ts';

const onNode = (name: string, parts = {}, nodeName = 'node-1') => ({
  ...pod(name, parts),
  spec: { nodeName },
});
const seenIn = ({ env }: World, subject = aSubject()) => observeDrain(openSnapshot(env, subject), subject);
const judgedIn = async (world: World, subject = aSubject()) => {
  const seen = await seenIn(world, subject);
  if (seen.kind !== 'judged') throw new Error(`it was ${seen.kind}`);
  return seen;
};
const names = (pods: { metadata: { name: string } }[]) => pods.map(({ metadata }) => metadata.name);

test('that the time to wait for volumes is over does not end the drain', async () => {
  const subject = aSubject({ machine: { volumeDetachTimeoutSeconds: 5 } });
  expect(await seenIn(aWorld(), subject)).toMatchObject({ kind: 'judged' });
});

describe('the Node', () => {
  test('that could not be looked for is not asked for', async () => {
    const world = aWorld();
    const subject = aSubject({ nodeSearch: { kind: 'unread', why: new Unavailable('no answer') } });
    await expect(seenIn(world, subject)).rejects.toThrow('no answer');
    expect(world.workload.reads).toEqual([]);
  });

  test('that has gone is shown as gone', async () => {
    const world = aWorld();
    world.workload.drop('nodes/node-1');
    const snapshot = openSnapshot(world.env, aSubject());
    expect(await observeDrain(snapshot, aSubject())).toEqual({ kind: 'no-node' });
    expect(snapshot.observed.node).toEqual({ kind: 'absent' });
  });

  test('that says nothing of a cordon has to be cordoned', async () => {
    const world = aWorld();
    const { spec, ...rest } = aNode();
    world.workload.put('nodes', { ...rest, spec: { providerID: spec?.providerID } });
    expect(await seenIn(world)).toEqual({
      kind: 'schedulable',
      name: 'node-1',
      uid: 'node-uid-1',
      isExclusive: false,
    });
  });

  test('that was not cordoned a moment ago is asked for again', async () => {
    const world = aWorld();
    world.workload.put('nodes', aNode({ unschedulable: false }));
    expect(await seenIn(world)).toMatchObject({ kind: 'schedulable' });
    world.workload.change('nodes/node-1', { spec: { unschedulable: true } });
    expect(await seenIn(world)).toMatchObject({ kind: 'judged' });
  });
});

describe('the Pods', () => {
  test('of other Nodes are none of this drain', async () => {
    const world = aWorld();
    world.workload.put('pods', onNode('ns/a'));
    world.workload.put('pods', onNode('ns/b', {}, 'node-2'));
    expect(names((await judgedIn(world)).plan.evictNow)).toEqual(['a']);
  });

  test.each<[heard: string, ready: 'True' | 'Unknown', terminating: string[]]>([
    ['is heard from is waited for', 'True', ['a']],
    ['nobody hears from is not waited for', 'Unknown', []],
  ])('one that should have gone by now, of a Node that %s', async (_heard, ready, terminating) => {
    const world = aWorld();
    world.workload.put('nodes', aNode({ ready }));
    world.workload.put('pods', onNode('ns/a', { deletionTimestamp: timeAfter(1) }));
    expect(names((await judgedIn(world)).plan.terminating)).toEqual(terminating);
  });

  test('are remembered only where there are some: nothing is asked about an empty Node', async () => {
    const world = aWorld();
    const asked: string[] = [];
    const { store } = world.env;
    world.env.store = {
      ...store,
      podRecords: (uid) => {
        asked.push(uid);
        return store.podRecords(uid);
      },
    };
    await judgedIn(world);
    expect(asked).toEqual([]);
    world.workload.put('pods', onNode('ns/a'));
    await judgedIn(world);
    expect(asked).toEqual(['uid-1']);
  });
});

describe('a Node that is known to be cordoned', () => {
  async function seenAgain(pods: object[]) {
    const world = aWorld();
    await judgedIn(world);
    for (const each of pods) world.workload.put('pods', { ...onNode('ns/a'), ...each });
    return seenIn(world);
  }

  test('is drained when a look finds no Pod', async () => {
    expect(await seenAgain([])).toEqual({ kind: 'drained' });
  });

  test('is drained whatever is on other Nodes', async () => {
    expect(await seenAgain([onNode('ns/b', {}, 'node-2')])).toEqual({ kind: 'drained' });
  });

  test.each<[string, object]>([
    ['one that came since', {}],
    ['one that should have gone by now', onNode('ns/a', { deletionTimestamp: timeAfter(1) })],
  ])('is not drained with a Pod on it: %s', async (_which, change) => {
    expect(await seenAgain([change])).toMatchObject({ kind: 'judged' });
  });
});

test('only of Pods that are to be evicted now the budgets are read', async () => {
  const world = aWorld();
  const lastRefusal = { cause: 'BudgetExhausted', text: 'no' } as const;
  const remembered: Record<string, Partial<PodRecord>> = {
    'ns/now': { lastRefusal: { ...lastRefusal, budget: 'guard' }, lastAttempt: after(9) },
    'ns/gone': {
      lastRefusal: { ...lastRefusal, budget: 'other' },
      outcome: 'accepted',
      lastAttempt: after(9),
    },
  };
  for (const [name, parts] of Object.entries(remembered)) {
    world.workload.put('pods', onNode(name));
    world.env.cache.rememberPods('uid-1', [record(name, parts)]);
  }
  expect([...(await judgedIn(world)).budgets.keys()]).toEqual(['ns/guard']);
});
