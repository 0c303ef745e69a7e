import { describe, expect, test } from 'vitest';
import type { EvictionAnswer } from '../../shared/kubernetes/port.ts';
import { observeDrain, observeGate, observeNode } from '../../shared/observe-drain.ts';
import type { PodRecord } from '../../shared/store/port.ts';
import { lookAt } from '../../shared/runtime/turn.ts';
import { aNode, aSubject } from '../builders/subject.ts';
import { aWorld, type World } from '../builders/world.ts';
import { after, timeAfter } from './dialects/capi/machines.ts';
import { budget, pod, record } from './drain/build.ts';

const onNode = (name: string, parts = {}, nodeName = 'node-1') => ({
  ...pod(name, parts),
  spec: { nodeName },
});
const seenIn = ({ env }: World, subject = aSubject()) => observeDrain(lookAt(env, subject), subject);
const judgedIn = async (world: World, subject = aSubject()) => {
  const seen = await seenIn(world, subject);
  if (seen.kind !== 'judged') throw new Error(`it was ${seen.kind}`);
  return seen;
};
const names = (pods: { metadata: { name: string } }[]) => pods.map(({ metadata }) => metadata.name);

describe('what closes the gate', () => {
  test('is said with its reason', async () => {
    const { env } = aWorld();
    const subject = aSubject({ nodeDeletion: { allowed: false, why: 'noderef is nil' } });
    expect(await observeGate(lookAt(env, subject), subject, 'drain')).toEqual({
      allowed: false,
      passing: 'not-applicable',
      why: 'noderef is nil',
    });
  });

  test('without the infrastructure does not ask for it', async () => {
    const world = aWorld();
    const subject = aSubject({ machine: { drainTimeoutSeconds: 5 } });
    expect(await observeGate(lookAt(world.env, subject), subject, 'drain')).toMatchObject({
      passing: 'timed-out',
    });
    expect(world.management.reads).toEqual([]);
  });

  test('of the wait for volumes does not end the drain', async () => {
    const subject = aSubject({ machine: { volumeDetachTimeoutSeconds: 5 } });
    expect(await seenIn(aWorld(), subject)).toMatchObject({ kind: 'judged' });
  });
});

describe('the Node', () => {
  test('of a Machine that names none is not asked for', async () => {
    const world = aWorld();
    const { nodeName: _, ...machine } = aSubject().machine;
    const subject = { ...aSubject(), machine };
    expect(await observeNode(lookAt(world.env, subject), subject)).toBeUndefined();
    expect(await seenIn(world, subject)).toEqual({ kind: 'no-node' });
    expect(world.workload.reads).toEqual([]);
  });

  test('that has gone is shown as gone', async () => {
    const world = aWorld();
    world.workload.drop('nodes/node-1');
    const look = lookAt(world.env, aSubject());
    expect(await observeDrain(look, aSubject())).toEqual({ kind: 'no-node' });
    expect(look.sightings.node).toEqual({ kind: 'absent' });
  });

  test('that says nothing of a cordon has to be cordoned', async () => {
    const world = aWorld();
    const { spec: _, ...bare } = aNode();
    world.workload.put('nodes', bare);
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

const refusing = (name?: string): EvictionAnswer => ({
  kind: 'refused',
  cause: name === undefined ? 'Throttled' : 'BudgetExhausted',
  text: 'no',
  ...(name !== undefined && { budget: name }),
});
const refusedBy = (name: string): Partial<PodRecord> => ({
  lastRefusal: { cause: 'BudgetExhausted', text: 'no', budget: name },
  lastAttempt: after(9),
});

/** What is read of the budgets guard and other, of which only guard is there. */
async function budgetsRead(remembered: Partial<PodRecord> | undefined, now: EvictionAnswer | undefined) {
  const world = aWorld();
  world.workload.put('poddisruptionbudgets', budget('guard'));
  world.workload.put('pods', onNode('ns/a'));
  if (remembered !== undefined) world.env.memory.rememberPods('uid-1', [record('ns/a', remembered)]);
  const look = lookAt(world.env, aSubject());
  if (now !== undefined) look.recordAnswers(new Map([['ns/a', now]]));
  const seen = await observeDrain(look, aSubject());
  if (seen.kind !== 'judged') throw new Error(`it was ${seen.kind}`);
  return {
    budgets: [...seen.budgets].map(([key, found]) => [key, found?.metadata.name]),
    reads: world.workload.reads.filter((each) => each.includes('poddisruptionbudgets')),
  };
}

describe('budgets', () => {
  const guard = { budgets: [['ns/guard', 'guard']], reads: ['get poddisruptionbudgets/ns/guard'] };
  const other = { budgets: [['ns/other', undefined]], reads: ['get poddisruptionbudgets/ns/other'] };
  const none = { budgets: [], reads: [] };

  test.each<[string, Partial<PodRecord> | undefined, EvictionAnswer | undefined, object]>([
    ['the one that has just refused', undefined, refusing('guard'), guard],
    ['the one that refused before', refusedBy('guard'), undefined, guard],
    ['the one that refused last', refusedBy('guard'), refusing('other'), other],
    ['one that is gone since, as gone', refusedBy('other'), undefined, other],
    ['none when no budget has just refused, though one did before', refusedBy('guard'), refusing(), none],
    ['none when nothing has refused', undefined, undefined, none],
    ['none when an eviction was accepted', { outcome: 'accepted', lastAttempt: after(9) }, undefined, none],
    ['none when nobody knows what refused', {}, undefined, none],
    ['none when something else refused', { lastRefusal: { cause: 'Failed', text: 'x' } }, undefined, none],
  ])('are read: %s', async (_which, remembered, now, expected) => {
    expect(await budgetsRead(remembered, now)).toEqual(expected);
  });
});
