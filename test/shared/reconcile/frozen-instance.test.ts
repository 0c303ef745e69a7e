import { describe, expect, test } from 'vitest';
import { phaseFunctions } from '../../../infra/host/phases.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { nodes } from '../../../shared/kubernetes/resources.ts';
import type { Advance } from '../../../shared/machine/messages.ts';
import type { Conclusion, Decision } from '../../../shared/phase/decision.ts';
import { definePhase } from '../../../shared/phase/definition.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { changeLiving } from '../../../shared/write/retry-on-conflict.ts';
import { aCheckpoint, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import { aNode } from '../../builders/subject.ts';
import {
  aCommand,
  atCheckpoint,
  aWorld,
  machinePath,
  savedCheckpoint,
  type World,
} from '../../builders/world.ts';

const report = { reason: 'DrainingNode', message: 'said' } as const;
const cordon: Decision = {
  kind: 'act',
  effects: [{ kind: 'cordon', node: 'node-1', uid: 'node-uid-1' }],
  report,
};
const wait: Conclusion & { kind: 'wait' } = { kind: 'wait', until: [], report, requeueAfterSeconds: 20 };
const paused = { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } };

/** A phase that cordons the Node at its first looks, and waits from then on. */
function cordoning(looks: number) {
  let seen = 0;
  const phase = definePhase<unknown>({
    name: 'drain',
    observe: (snapshot) => snapshot.get('workload', nodes, { name: 'node-1' }),
    decide: () => ((seen += 1) <= looks ? cordon : wait),
    onUnavailable: (_subject, why) => ({ ...wait, report: { ...report, error: why } }),
  });
  return { phase, looks: () => seen };
}

const draining = () =>
  aWorld(aRawMachine({ annotations: atCheckpoint(aCheckpoint({ seq: 1, phase: 'drain' })) }));
const cordons = ({ log }: World) => log.filter((line) => line === 'patch nodes/node-1').length;
const readsOf = ({ management }: World, path: string) =>
  management.reads.filter((read) => read === `get ${path}`).length;

/** What is written is written, and its answer comes as late; somebody pauses the Machine before it does. */
function standsStillOverItsWrite(
  { management, time }: World,
  milliseconds: number,
  seen: object,
  path = machinePath,
) {
  const write = management.mergePatch.bind(management);
  management.mergePatch = async (resource, key, patch, subresource) => {
    const outcome = await write(resource, key, patch, subresource);
    if (resource.plural === 'machines') {
      time.now += milliseconds;
      management.change(path, seen);
    }
    return outcome;
  };
}

describe('whoever stood still acts on nothing that was seen before', () => {
  test('over the answer to the first checkpoint', async () => {
    const world = aWorld();
    standsStillOverItsWrite(world, 1_001, paused);
    await reconcilePhase(world.env, cordoning(1).phase, aCommand({ seq: 0 }));
    expect(cordons(world)).toBe(0);
  });

  test('over the answer to a status that is written before, as in OpenShift', async () => {
    const world = draining();
    world.env.dialects = [{ ...clusterApi, showsProgress: false }];
    standsStillOverItsWrite(world, 1_001, paused);
    await reconcilePhase(world.env, cordoning(1).phase, aCommand());
    expect(cordons(world)).toBe(0);
  });

  test.each([
    ['a first checkpoint', () => aWorld(), 0],
    [
      'a status that is written before',
      () => {
        const world = draining();
        world.env.dialects = [{ ...clusterApi, showsProgress: false }];
        return world;
      },
      1,
    ],
  ])('over the answer to %s, for so long that its Cluster may be paused', async (_what, open, seq) => {
    const world = open();
    standsStillOverItsWrite(world, 30_001, { spec: { paused: true } }, 'clusters/default/c');
    await reconcilePhase(world.env, cordoning(2).phase, aCommand({ seq }));
    expect(cordons(world)).toBe(0);
  });

  test('over the answer to whether the Machine is as it was, for so long that its Cluster may be paused', async () => {
    const world = draining();
    world.workload.on('get nodes/node-1', () => {
      world.time.now += 1_001;
      world.management.on(`get ${machinePath}`, () => {
        world.time.now += 30_001;
        world.management.change('clusters/default/c', { spec: { paused: true } });
      });
    });
    await reconcilePhase(world.env, cordoning(2).phase, aCommand());
    expect(cordons(world)).toBe(0);
  });

  test('over the answer to a status, by which the next command finds the Machine', async () => {
    const world = draining();
    standsStillOverItsWrite(world, 25_001, {});
    await reconcilePhase(world.env, cordoning(0).phase, aCommand());
    const { resourceVersion = '' } = world.management.at(machinePath)!.metadata;
    world.management.reads.length = 0;
    await reconcilePhase(world.env, cordoning(0).phase, aCommand({ resourceVersion }));
    expect(readsOf(world, machinePath)).toBe(1);
  });

  test('over the answer to what was written on a living Machine', async () => {
    const { deletionTimestamp: _, ...metadata } = aRawMachine().metadata;
    const world = aWorld({ ...aRawMachine(), metadata });
    standsStillOverItsWrite(world, 700, {});
    await changeLiving(world.env, clusterApi, clusterApi.read(world.management.at(machinePath)!), {
      what: 'the finalizer',
      deed: 'put on',
      patchOf: () => ({ metadata: { finalizers: [clusterApi.finalizer, 'somebody/else'] } }),
    });
    expect(world.env.cache.machine('uid-1')?.age()).toBe(700);
  });
});

const looksFor = (milliseconds: number, times: number) => {
  const world = draining();
  world.workload.on('get nodes/node-1', () => void (world.time.now += milliseconds), times);
  return world;
};

/** A step reads at its beginning whether the Cluster is paused. A look reads at its beginning what is on the Node. */
describe('a step that has taken more than half a minute by the time it acts', () => {
  test('begins anew: its Cluster was paused meanwhile', async () => {
    const world = looksFor(30_001, 1);
    world.workload.on('get nodes/node-1', () =>
      world.management.change('clusters/default/c', { spec: { paused: true } }),
    );
    await reconcilePhase(world.env, cordoning(1).phase, aCommand());
    expect(cordons(world)).toBe(0);
  });

  test.each([
    ['looks again where it stood still once', 30_001, 1, 2],
    ['looks but once more where it is slow each time', 30_001, 3, 2],
    ['looks as often as it stood still for longer than any API takes', 300_001, 3, 4],
    ['has not taken more', 30_000, 1, 1],
  ])('%s, and acts', async (_what, milliseconds, times, looks) => {
    const world = looksFor(milliseconds, times);
    const { phase, looks: seen } = cordoning(looks);
    await reconcilePhase(world.env, phase, aCommand());
    expect(cordons(world)).toBe(1);
    expect(seen()).toBe(looks + 1);
    expect(readsOf(world, 'clusters/default/c')).toBe(looks);
  });

  test.each([
    ['acts', 25_000, 1],
    ['acts on nothing of that', 25_001, 0],
  ])(
    'and stands still over whether the Machine is as it was, once it has begun anew, %s: %i ms',
    async (_what, milliseconds, times) => {
      const world = looksFor(30_001, 1);
      world.workload.on('get nodes/node-1', () => {
        world.time.now += 1_001;
        world.management.on(`get ${machinePath}`, () => void (world.time.now += milliseconds));
      });
      await reconcilePhase(world.env, cordoning(2).phase, aCommand());
      expect(cordons(world)).toBe(times);
    },
  );

  test('begins anew though it had begun anew at once before: somebody had changed the Machine', async () => {
    const world = draining();
    world.workload.on('get nodes/node-1', () => {
      world.time.now += 1_001;
      world.management.change(machinePath, { metadata: { labels: { changed: 'meanwhile' } } });
    });
    world.workload.on('get nodes/node-1', () => void (world.time.now += 30_001));
    const { phase, looks } = cordoning(2);
    await reconcilePhase(world.env, phase, aCommand());
    expect([looks(), cordons(world)]).toEqual([3, 0]);
  });
});

test.each([
  [30_000, 'is shown on the Node', 1],
  [30_001, 'is not shown there: the Machine may be gone', 0],
])('a drain that was looked at for %i ms %s', async (milliseconds, _what, times) => {
  const annotations = atCheckpoint(aCheckpoint({ seq: 1, phase: 'drain' }));
  const world = aWorld(aRawMachine({ annotations }), { nodeConditions: true });
  world.workload.put('pods', {
    ...pod('ns/a', { deletionTimestamp: timeAfter(1) }),
    spec: { nodeName: 'node-1' },
  });
  world.workload.on('list pods', () => void (world.time.now += milliseconds));
  await reconcilePhase(world.env, phaseFunctions.drain, aCommand());
  expect(world.log.filter((line) => line === 'patch nodes/node-1/status')).toHaveLength(times);
});

/** Volumes were waited for, and none is left. The answer to the list of the Node's Pods comes so much later. */
const detached = (milliseconds: number, times = 1, annotations: Record<string, string> = {}) => {
  const checkpoint = { passed: { drain: { as: 'done', since: timeAfter(1) } }, since: timeAfter(2) } as const;
  const at = aCheckpoint({ seq: 2, phase: 'volume-detach', ...checkpoint });
  const world = aWorld(aRawMachine({ annotations: { ...annotations, ...atCheckpoint(at) } }));
  const list = world.workload.list.bind(world.workload);
  let lists = 0;
  world.workload.list = async (resource, ...selected) => {
    const answer = await list(resource, ...selected);
    if (resource.plural !== 'pods') return answer;
    lists += 1;
    if (lists <= times) world.time.now += milliseconds;
    if (lists === 1) usedAgain(world);
    return answer;
  };
  return { world, lists: () => lists };
};

function usedAgain({ workload }: World): void {
  workload.change('nodes/node-1', { spec: { unschedulable: false } });
  workload.put('pods', { ...pod('ns/back'), spec: { nodeName: 'node-1' } });
}

/** Goes on from phase to phase, beginning at `first`, until it waits. */
async function goOn({ env }: World, first: Advance): Promise<void> {
  let next: Advance | undefined = first;
  while (next !== undefined) ({ next } = await reconcilePhase(env, phaseFunctions[next.phase], next));
}

const serverGoes = ({ log }: World): boolean => log.includes('delete servers/default/m-1');

const detach = ({ env }: World) =>
  reconcilePhase(env, phaseFunctions['volume-detach'], aCommand({ phase: 'volume-detach', seq: 2 }));

/** Right after it was handed on the server is deleted, since nothing comes to its Node so soon. */
describe('what was seen more than half a minute ago', () => {
  test('hands no Machine on: its Node is in use again', async () => {
    const { world } = detached(180_000);
    await detach(world);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
  });

  test('hands no Machine on to its hooks either: where they are gone the server is deleted right after', async () => {
    const hook = { 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/a': '' };
    const { world } = detached(180_000, 1, hook);
    await detach(world);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
  });

  test.each([
    ['is seen once more where it was not', 30_000, 1, 1, 'infrastructure'],
    ['is seen but once more where an API is slow each time', 30_001, 9, 2, 'drain'],
  ])('%s', async (_what, milliseconds, times, seen, phase) => {
    const { world, lists } = detached(milliseconds, times);
    await detach(world);
    expect(lists()).toBe(seen);
    expect(savedCheckpoint(world)).toMatchObject({ phase });
  });
});

describe('the server stays where somebody stood still, and what was seen before is not so any more', () => {
  test('the Node had no Pods that must go as its drain ended', async () => {
    const world = draining();
    const list = world.workload.list.bind(world.workload);
    let hasStoodStill = false;
    world.workload.list = async (resource, ...selected) => {
      const answer = await list(resource, ...selected);
      if (resource.plural !== 'pods' || hasStoodStill) return answer;
      hasStoodStill = true;
      world.time.now += 600_000;
      world.workload.put('pods', { ...pod('ns/back'), spec: { nodeName: 'node-1' } });
      return answer;
    };
    await goOn(world, aCommand({ phase: 'drain', seq: 1 }));
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
    expect(serverGoes(world)).toBe(false);
  });

  test('the Machine had no Node as its deletion was to begin', async () => {
    const world = aWorld(aRawMachine({ status: { nodeRef: undefined } }));
    world.workload.drop('nodes/node-1');
    const { store } = world.env;
    const claim = store.claim.bind(store);
    let hasStoodStill = false;
    store.claim = async (claimed) => {
      if (!hasStoodStill) {
        world.time.now += 600_000;
        world.workload.put('nodes', aNode({ unschedulable: false }));
        world.workload.put('pods', { ...pod('ns/new'), spec: { nodeName: 'node-1' } });
      }
      hasStoodStill = true;
      return claim(claimed);
    };
    await goOn(world, aCommand({ phase: 'drain', seq: 0 }));
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'drain' });
    expect(serverGoes(world)).toBe(false);
  });
});

/** Each request may read the Secret with the kubeconfig again. Answers how many there were before the deed. */
function onTheWay(world: World, nth: number, deed: string): () => number {
  const { workloads } = world.env;
  let times = 0;
  let before = 0;
  world.env.workloads = {
    ...workloads,
    of: async (which) => {
      times += 1;
      if (!world.log.includes(deed)) before = times;
      if (times === nth) {
        world.time.now += 600_000;
        world.management.change(machinePath, paused);
      }
      return workloads.of(which);
    },
  };
  return () => before;
}

test.each<[what: string, phase: 'drain' | 'node', seq: number, deed: string, node: object]>([
  ['evicts nobody', 'drain', 1, 'evict pods/ns/a', {}],
  ['cordons no Node', 'drain', 1, 'patch nodes/node-1', { unschedulable: false }],
  ['deletes no Node', 'node', 6, 'delete nodes/node-1', {}],
])(
  'whoever stood still on the way to the cluster %s: the Machine was paused',
  async (_what, phase, seq, deed, node) => {
    const step = async (nth: number) => {
      const world = aWorld(aRawMachine({ annotations: atCheckpoint(aCheckpoint({ seq, phase })) }));
      world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
      world.workload.put('nodes', aNode(node));
      const ways = onTheWay(world, nth, deed);
      await reconcilePhase(world.env, phaseFunctions[phase], aCommand({ phase, seq }));
      return { ways: ways(), isDone: world.log.includes(deed) };
    };
    const undisturbed = await step(0);
    expect(undisturbed.isDone).toBe(true);
    const done = [];
    for (let nth = 1; nth <= undisturbed.ways; nth += 1) if ((await step(nth)).isDone) done.push(nth);
    expect(done).toEqual([]);
  },
);

test.each([
  ['is let go', 30_000, true],
  ['is seen once more, for its Cluster may be paused', 30_001, false],
])('a Machine of which the last words were said %s after %i ms', async (_what, milliseconds, isLetGo) => {
  const at = aCheckpoint({ phase: 'finalize', seq: 7 });
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(at) }));
  standsStillOverItsWrite(world, milliseconds, { spec: { paused: true } }, 'clusters/default/c');
  await reconcilePhase(world.env, phaseFunctions.finalize, aCommand({ phase: 'finalize', seq: 7 }));
  expect(world.management.at(machinePath) === undefined).toBe(isLetGo);
});
