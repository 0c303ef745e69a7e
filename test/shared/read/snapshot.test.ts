import { beforeEach, describe, expect, test } from 'vitest';
import type { EvictionAnswer } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { nodes, podDisruptionBudgets, pods } from '../../../shared/kubernetes/resources.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import type { ClusterSnapshot } from '../../../shared/read/snapshot.ts';
import { aMachine } from '../../builders/cluster-api.ts';
import { pod, record } from '../../builders/pods.ts';
import { aNode, aSubject } from '../../builders/subject.ts';
import { aWorld, type World } from '../../builders/world.ts';

const node = { name: 'node-1' };
const onNode = { fieldSelector: 'spec.nodeName=node-1' };
const server = { group: 'infra.example', kind: 'Server', namespace: 'default', name: 'm-1' };
const servers = { group: 'infra.example', version: 'v1', plural: 'servers' };
const theNode = { side: 'workload', resource: nodes, key: node } as const;
const serverKey = { namespace: 'default', name: 'm-1' };
const answered = (answer: EvictionAnswer) => new Map([['ns/a', answer]]);

let world: World;
let snapshot: ClusterSnapshot;
const another = () => openSnapshot(world.env, aSubject());

beforeEach(() => {
  world = aWorld();
  snapshot = another();
});

describe('one look reads each thing once', () => {
  test('objects and lists', async () => {
    for (let time = 0; time < 2; time += 1) {
      await snapshot.get('workload', nodes, node);
      await snapshot.list('workload', pods, onNode);
      await snapshot.referred(server);
    }
    expect(world.workload.reads).toEqual(['get nodes/node-1', 'list pods']);
    expect(world.management.reads).toEqual(['get servers/default/m-1']);
  });

  test('and what the store remembers of Pods', async () => {
    let asked = 0;
    const podRecords = async () => {
      asked += 1;
      return [record('ns/a')];
    };
    world.env.store = { ...world.env.store, podRecords };
    snapshot = another();
    for (let time = 0; time < 2; time += 1)
      expect([...(await snapshot.podRecords()).keys()]).toEqual(['ns/a']);
    expect(asked).toBe(1);
  });

  test('and keeps what is named alike in two namespaces apart', async () => {
    for (const namespace of ['shop', 'bank'])
      await snapshot.get('workload', podDisruptionBudgets, { namespace, name: 'guard' });
    expect(world.workload.reads).toEqual([
      'get poddisruptionbudgets/shop/guard',
      'get poddisruptionbudgets/bank/guard',
    ]);
  });

  test('and keeps clusters, selections and names apart', async () => {
    await snapshot.get('workload', nodes, node);
    await snapshot.get('workload', nodes, { name: 'node-2' });
    await snapshot.get('management', nodes, node);
    await snapshot.list('workload', pods, onNode);
    await snapshot.list('workload', pods, { fieldSelector: 'spec.nodeName=node-2' });
    await snapshot.list('workload', pods, { ...onNode, namespace: 'ns' });
    await snapshot.list('workload', pods, { labelSelector: 'app=a' });
    await snapshot.list('workload', pods, { labelSelector: 'app=b' });
    await snapshot.list('workload', pods);
    expect(world.workload.reads).toEqual([
      'get nodes/node-1',
      'get nodes/node-2',
      'list pods',
      'list pods',
      'list pods',
      'list pods',
      'list pods',
      'list pods',
    ]);
    expect(world.management.reads).toEqual(['get nodes/node-1']);
  });

  test('and keeps kinds of one plural in two groups apart', async () => {
    for (const group of ['infra.example', 'boot.example'])
      await snapshot.get(
        'management',
        { group, version: 'v1', plural: 'servers' },
        { namespace: 'default', name: 'm-1' },
      );
    expect(world.management.reads).toHaveLength(2);
  });

  test('and the next look reads again', async () => {
    await snapshot.get('workload', nodes, node);
    await another().get('workload', nodes, node);
    expect(world.workload.reads).toHaveLength(2);
  });
});

describe('what an effect was answered counts as seen', () => {
  test("a written object is the next round's", async () => {
    const object = aNode({ unschedulable: true });
    await snapshot.get('workload', nodes, node);
    snapshot.recordWrite(theNode, { kind: 'written', object }, world.env.clock.stopwatch());
    expect(await snapshot.get('workload', nodes, node)).toBe(object);
    expect(world.workload.reads).toHaveLength(1);
  });

  test.each([{ kind: 'gone' }, { kind: 'conflict', message: 'changed' }] as const)(
    'after %j the object is read again',
    async (outcome) => {
      await snapshot.get('workload', nodes, node);
      snapshot.recordWrite(theNode, outcome, world.env.clock.stopwatch());
      await snapshot.get('workload', nodes, node);
      expect(world.workload.reads).toHaveLength(2);
    },
  );

  const target = { side: 'management', resource: servers, key: serverKey, uid: 'server-uid' } as const;

  test('a deleted object is gone', async () => {
    snapshot.recordDeletion(target, { kind: 'gone' });
    expect((await snapshot.referred(server)).object).toBeUndefined();
    expect(snapshot.deletion('server-uid')).toEqual({ kind: 'gone' });
    expect(world.management.reads).toEqual([]);
  });

  test('a marked object is as the API answered', async () => {
    const object = { metadata: { name: 'm-1', deletionTimestamp: '2026-01-01T12:00:10Z' } };
    snapshot.recordDeletion(target, { kind: 'deleting', object });
    expect((await snapshot.referred(server)).object).toBe(object);
  });

  test('an object that turned out to be another is read again', async () => {
    await snapshot.referred(server);
    snapshot.recordDeletion(target, { kind: 'replaced' });
    await snapshot.referred(server);
    expect(world.management.reads).toHaveLength(2);
  });

  test('a refused delete leaves the object as it was seen', async () => {
    await snapshot.referred(server);
    snapshot.recordDeletion(target, { kind: 'refused', code: 403, message: 'forbidden' });
    expect((await snapshot.referred(server)).object).toBeDefined();
    expect(snapshot.deletion('server-uid')).toEqual({ kind: 'refused', code: 403, message: 'forbidden' });
    expect(world.management.reads).toHaveLength(1);
  });
});

describe('the list of Pods', () => {
  const refused: EvictionAnswer = { kind: 'refused', cause: 'Failed', text: 'no' };

  test.each<[string, EvictionAnswer, number]>([
    ['stands beside an accepted eviction', { kind: 'accepted' }, 1],
    ['stands beside a refused one', refused, 1],
    ['is read again after a Pod turned out to be gone: advancing takes evidence', { kind: 'gone' }, 2],
    ['is read again after a Pod turned out to be another', { kind: 'replaced' }, 2],
  ])('%s', async (_what, answer, reads) => {
    world.workload.put('pods', pod('ns/a'));
    await snapshot.list('workload', pods, onNode);
    await snapshot.get('workload', nodes, node);
    snapshot.recordAnswers(answered(answer));
    await snapshot.list('workload', pods, onNode);
    await snapshot.get('workload', nodes, node);
    expect(world.workload.reads.filter((read) => read === 'list pods')).toHaveLength(reads);
    expect(world.workload.reads.filter((read) => read === 'get nodes/node-1')).toHaveLength(1);
    expect(snapshot.answers).toEqual(answered(answer));
  });

  test('is read again also where other Pods were evicted, and no other list is', async () => {
    await snapshot.list('workload', pods, onNode);
    await snapshot.list('workload', nodes);
    snapshot.recordAnswers(
      new Map<string, EvictionAnswer>([
        ['ns/a', { kind: 'accepted' }],
        ['ns/b', { kind: 'gone' }],
      ]),
    );
    await snapshot.list('workload', pods, onNode);
    await snapshot.list('workload', nodes);
    expect(world.workload.reads).toEqual(['list pods', 'list nodes', 'list pods']);
  });
});

describe('what may be a moment old', () => {
  const isAlive = { maxAgeMilliseconds: 5_000, good: () => true };

  test('is taken from memory while it is good', async () => {
    await snapshot.referred(server, isAlive);
    world.time.now += 5_000;
    await another().referred(server, isAlive);
    expect(world.management.reads).toHaveLength(1);
    world.time.now += 1;
    await another().referred(server, isAlive);
    expect(world.management.reads).toHaveLength(2);
  });

  test('is never taken from memory when it is not good, or not there', async () => {
    const kept = { ...isAlive, good: () => false };
    await snapshot.referred(server, kept);
    await another().referred(server, kept);
    expect(world.management.reads).toHaveLength(2);
    world.management.drop('servers/default/m-1');
    expect((await another().referred(server, isAlive)).object).toBeUndefined();
    expect((await another().referred(server, isAlive)).object).toBeUndefined();
    expect(world.management.reads).toHaveLength(4);
  });

  test('is never older than what this look has done', async () => {
    await another().referred(server, isAlive);
    const target = { side: 'management', resource: servers, key: serverKey, uid: 'server-uid' } as const;
    snapshot.recordDeletion(target, { kind: 'gone' });
    expect((await snapshot.referred(server, isAlive)).object).toBeUndefined();
  });

  test('is never older than what a write of this look was answered', async () => {
    await another().recentGet('workload', nodes, node, isAlive);
    const object = aNode({ unschedulable: true });
    snapshot.recordWrite(theNode, { kind: 'written', object }, world.env.clock.stopwatch());
    expect(await snapshot.recentGet('workload', nodes, node, isAlive)).toBe(object);
  });

  test('is what a write was answered, until the write is too old', async () => {
    const age = world.env.clock.stopwatch();
    world.time.now += 1_000;
    const object = aNode({ unschedulable: true });
    snapshot.recordWrite(theNode, { kind: 'written', object }, age);
    world.time.now += 4_000;
    expect(await another().recentGet('workload', nodes, node, isAlive)).toBe(object);
    expect(world.workload.reads).toEqual([]);
    world.time.now += 1;
    await another().recentGet('workload', nodes, node, isAlive);
    expect(world.workload.reads).toEqual(['get nodes/node-1']);
  });

  test.each([{ kind: 'gone' }, { kind: 'conflict', message: 'changed' }] as const)(
    'is not what was seen before a write that was answered %j',
    async (outcome) => {
      await another().recentGet('workload', nodes, node, isAlive);
      snapshot.recordWrite(theNode, outcome, world.env.clock.stopwatch());
      await another().recentGet('workload', nodes, node, isAlive);
      expect(world.workload.reads).toHaveLength(2);
    },
  );

  test('a DaemonSet that is not there is asked about each time, one that is there is not', async () => {
    const daemonSets = { group: 'apps', version: 'v1', plural: 'daemonsets' };
    const exists = () => another().exists('workload', daemonSets, { namespace: 'ns', name: 'd' }, 10_000);
    expect([await exists(), await exists()]).toEqual([false, false]);
    world.workload.put('daemonsets', { metadata: { namespace: 'ns', name: 'd' } });
    expect([await exists(), await exists()]).toEqual([true, true]);
    expect(world.workload.reads).toHaveLength(3);
  });

  test('lists are shared by looks', async () => {
    await snapshot.recentList('workload', pods, {}, 1_000);
    await another().recentList('workload', pods, {}, 1_000);
    expect(world.workload.reads).toEqual(['list pods']);
  });
});

describe('a cordon', () => {
  test('is that of the Node that was cordoned last under the name', async () => {
    snapshot.rememberCordon('node-1', 'node-uid-1');
    world.time.now += 1;
    another().rememberCordon('node-1', 'node-uid-2');
    expect(another().cordonedNode('node-1')).toBe('node-uid-2');
  });

  test('is not known to a Machine that was made again under the same name', () => {
    snapshot.rememberCordon('node-1', 'node-uid-1');
    const subject = aSubject();
    const again = {
      ...subject,
      machine: { ...subject.machine, ref: { ...subject.machine.ref, uid: 'uid-2' } },
    };
    expect(openSnapshot(world.env, again).cordonedNode('node-1')).toBeUndefined();
  });

  test('is remembered for a minute, by Machine and Node', async () => {
    expect(snapshot.cordonedNode('node-1')).toBeUndefined();
    snapshot.rememberCordon('node-1', 'node-uid-1');
    world.time.now += 60_000;
    expect(another().cordonedNode('node-1')).toBe('node-uid-1');
    expect(another().cordonedNode('node-2')).toBeUndefined();
    world.time.now += 1;
    expect(another().cordonedNode('node-1')).toBeUndefined();
  });
});

describe('rules', () => {
  test('are none where their kind is not served', async () => {
    world.management.discover = async () => undefined;
    expect(await snapshot.drainRules('default', 1_000)).toBeUndefined();
    expect(world.management.reads).toEqual([]);
  });

  test('are read once a while', async () => {
    world.management.put('machinedrainrules', { metadata: { namespace: 'default', name: 'r' } });
    expect(await snapshot.drainRules('default', 1_000)).toMatchObject([{ metadata: { name: 'r' } }]);
    await another().drainRules('default', 1_000);
    expect(world.management.reads).toEqual(['list machinedrainrules']);
  });
});

test('an object whose kind is not served is neither there nor gone', async () => {
  const unserved = snapshot.referred({ ...server, kind: 'Unserved' });
  await expect(unserved).rejects.toThrow(Unavailable);
  await expect(unserved).rejects.toThrow(
    'Unserved of infra.example is not served by the API: nothing can be said of default/m-1',
  );
});

describe('what is remembered of Pods', () => {
  test('is what the store knows and what has just been learnt, the later attempt first', async () => {
    const eviction = { podUid: 'ns/a', namespace: 'ns', name: 'a', at: 100, outcome: 'refused' } as const;
    await world.env.store.recordEvictions(aMachine().ref, [
      eviction,
      { ...eviction, podUid: 'ns/b', name: 'b' },
    ]);
    expect([...(await snapshot.podRecords()).keys()]).toEqual(['ns/a', 'ns/b']);
    snapshot.recordPods([
      record('ns/a', { lastAttempt: 200, outcome: 'accepted' }),
      record('ns/b', { lastAttempt: 50 }),
    ]);
    const records = await snapshot.podRecords();
    expect(records.get('ns/a')).toMatchObject({ lastAttempt: 200, outcome: 'accepted' });
    expect(records.get('ns/b')).toMatchObject({ lastAttempt: 100 });
  });

  test('survives a store that does not answer', async () => {
    world.env.store = { ...world.env.store, podRecords: async () => [] };
    another().recordPods([record('ns/a')]);
    expect([...(await another().podRecords()).keys()]).toEqual(['ns/a']);
  });
});
