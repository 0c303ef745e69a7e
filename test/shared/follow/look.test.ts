import { beforeEach, describe, expect, test } from 'vitest';
import { drain } from '../../../functions/drain.ts';
import { ended, intake } from '../../../functions/intake.ts';
import { sweep } from '../../../functions/sweep.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Fact } from '../../../shared/machine/messages.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import type { Environment } from '../../../shared/runtime/environment.ts';
import { forgivingStore } from '../../../shared/store/best-effort.ts';
import { type Requeue, type Store, StoreUnavailable } from '../../../shared/store/port.ts';
import { after } from '../../builders/cluster-api.ts';
import { machinePath, type World } from '../../builders/world.ts';
import { anotherIn, aWatchedWorld, guarded, shows } from './worlds.ts';

let world: World;
beforeEach(() => {
  world = aWatchedWorld();
});

const refOfWorld = { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'default', name: 'm-1' };
const there = (): KubeObject => world.management.at(machinePath)!;
const becomes = (reason: string): void =>
  world.management.change(machinePath, { status: shows(reason)['status'] });
const hear = async (object: KubeObject, env: Environment = world.env): Promise<string[]> =>
  (await intake(env, object)).facts.map(({ kind, phase }) => `${phase} ${kind}`);
function pass(seconds: number): void {
  world.time.now += seconds * 1_000;
  world.time.passed += seconds * 1_000;
}
const history = async () =>
  (await world.env.store.history('uid-1')).map(({ phase, what, reason }) => `${phase} ${what} ${reason}`);

async function swept(which: 'due' | 'all', env: Environment = world.env): Promise<string[]> {
  const told: Fact[] = [];
  expect(await sweep(env, which, (facts) => void told.push(...facts))).toEqual([]);
  return told.map(({ kind, phase }) => `${phase} ${kind}`);
}

describe('what an event says', () => {
  test('is told as the API server has it', async () => {
    const claimed = shows('WaitingForBootstrapDeletion');
    expect(await hear(claimed)).toEqual(['pre-drain started', 'drain advanced', 'drain blocked']);
  });

  test('of a Machine that is not there is not told', async () => {
    world.management.drop(machinePath);
    expect(await hear(shows('DrainingNode'))).toEqual([]);
    expect(await ended(world.env, shows('DrainingNode'))).toEqual([]);
    expect(await history()).toEqual([]);
  });

  test('of the end is not told while the Machine is there', async () => {
    await hear(there());
    expect(await ended(world.env, shows('DrainingNode'))).toEqual([]);
  });

  test('of a Machine in a namespace that is not ours costs no request', async () => {
    const elsewhere = aWatchedWorld({ namespaces: ['other'] });
    expect(await ended(elsewhere.env, there())).toEqual([]);
    expect((await intake(elsewhere.env, there())).facts).toEqual([]);
    expect(elsewhere.management.reads).toEqual([]);
  });

  test('of a living Machine costs no request', async () => {
    const { metadata, ...rest } = there();
    const { deletionTimestamp: _, ...living } = metadata;
    expect(await hear({ ...rest, metadata: living })).toEqual([]);
    expect(world.management.reads).toEqual([]);
  });

  test('costs no request within 20 seconds where the phase is the same', async () => {
    await hear(there());
    const { reads } = world.management;
    const before = reads.length;
    becomes('DrainingNode');
    await hear(there());
    expect(reads).toHaveLength(before);
    world.time.now += 20_000;
    world.time.passed += 20_000;
    becomes('DrainingNode');
    await hear(there());
    expect(reads.length).toBeGreaterThan(before);
  });
});

describe('a deletion', () => {
  test('is told from its beginning to its end, and is written nowhere but in the store', async () => {
    await hear(there());
    for (const reason of ['WaitingForInfrastructureDeletion', 'WaitingForBootstrapDeletion']) {
      becomes(reason);
      await hear(there());
    }
    world.management.drop(machinePath);
    expect(await ended(world.env, shows('WaitingForBootstrapDeletion'))).toMatchObject([
      { kind: 'completed', phase: 'finalize' },
    ]);
    expect(await history()).toEqual([
      'drain started Deleting',
      'drain advanced done',
      'drain waited DrainingNode',
      'infrastructure advanced done',
      'infrastructure waited WaitingForInfrastructureDeletion',
      'bootstrap advanced done',
      'bootstrap waited WaitingForBootstrapDeletion',
      'finalize completed DeletionCompleted',
    ]);
    expect(world.log.filter((line) => line !== 'schedule')).toEqual([
      'history started, advanced, waited',
      'history advanced, waited',
      'history advanced, waited',
      'unschedule',
      'history completed',
    ]);
  });

  test('is told once, whichever instance looks', async () => {
    await hear(there());
    world.time.now += 20_000;
    expect(await swept('due', anotherIn(world))).toEqual([]);
    expect(await history()).toEqual([
      'drain started Deleting',
      'drain advanced done',
      'drain waited DrainingNode',
    ]);
  });

  test('that goes back is told as returned', async () => {
    becomes('WaitingForVolumeDetach');
    await hear(there());
    becomes('DrainingNode');
    await hear(there());
    expect(await history()).toContain('drain advanced returned');
  });

  test('whose end no event tells is told by the sweep', async () => {
    await hear(there());
    world.management.drop(machinePath);
    world.time.now += 20_000;
    expect(await swept('due')).toEqual(['finalize completed']);
    expect(await swept('due')).toEqual([]);
    expect(await world.env.store.due(after(100_000), 10)).toEqual([]);
  });

  test('whose beginning no event tells is due after the sweep of everything', async () => {
    expect(await swept('all')).toEqual([]);
    expect(await swept('due')).toEqual(['pre-drain started', 'drain advanced', 'drain blocked']);
  });

  test('whose beginning the store has lost is known to other instances after the next look', async () => {
    const { store } = world.env;
    world.env.store = { ...store, appendHistory: async () => undefined, isAvailable: () => false };
    await hear(there());
    world.env.store = store;
    expect(await history()).toEqual([]);
    pass(60);
    expect(await swept('due')).toEqual([]);
    expect(await history()).toEqual(['drain started Deleting']);
    world.management.drop(machinePath);
    pass(60);
    expect(await swept('due', anotherIn(world))).toEqual(['finalize completed']);
  });

  test('is due after a sweep that finds the store back, as all others are', async () => {
    const uids = ['uid-1', 'uid-2', 'uid-3'];
    for (const uid of uids) {
      const { metadata, ...rest } = there();
      world.management.put('machines', { ...rest, metadata: { ...metadata, name: uid, uid } });
    }
    world.management.drop(machinePath);
    const { env } = world;
    const { store: under, clock } = env;
    let isAway = true;
    const due = async (...asked: Parameters<Store['due']>): Promise<Requeue[]> => {
      if (isAway) throw new StoreUnavailable('no answer');
      return under.due(...asked);
    };
    env.store = forgivingStore({ ...under, due }, { clock, log: () => undefined });
    await env.store.due(env.clock.now(), 1);
    isAway = false;
    pass(1);
    await swept('all');
    expect((await under.due(env.clock.now(), 10)).map(({ machine }) => machine.uid)).toEqual(uids);
  });

  test('is looked at by the sweep while the store is away', async () => {
    world.env.store = { ...world.env.store, due: async () => [], isAvailable: () => false };
    expect(await swept('due')).toEqual(['pre-drain started', 'drain advanced', 'drain blocked']);
  });

  test('that could not be read stays due', async () => {
    await hear(there());
    world.time.now += 20_000;
    world.management.on(`get ${machinePath}`, () => {
      throw new Unavailable('no answer');
    });
    expect(await swept('due')).toEqual([]);
    expect(world.said).toContain('Machine could not be swept');
    becomes('WaitingForInfrastructureDeletion');
    expect(await swept('due')).toEqual(['infrastructure advanced', 'infrastructure blocked']);
  });
});

test('a command for a step, which another mode has left behind, writes nothing', async () => {
  const machine = { ...refOfWorld, uid: 'uid-1' };
  await reconcilePhase(world.env, drain, { machine, phase: 'drain', seq: 0 });
  const { patches } = world.management;
  expect([...patches, ...world.workload.patches]).toEqual([]);
  expect(world.log.filter((line) => /evict|patch|create|delete/.test(line))).toEqual([]);
});

describe('what holds a drain', () => {
  test('is told with each Pod that is refused, once', async () => {
    guarded(world);
    const { facts } = await intake(world.env, there());
    expect(facts.filter(({ kind }) => kind === 'pod-refused')).toMatchObject([
      { pod: { namespace: 'shop', name: 'web-1', uid: 'uid-web-1' }, budget: 'web' },
      { pod: { namespace: 'shop', name: 'web-2', uid: 'uid-web-2' }, budget: 'web' },
    ]);
    world.workload.put('pods', {
      metadata: { namespace: 'shop', name: 'web-3', uid: 'uid-web-3', labels: { app: 'web' } },
      spec: { nodeName: 'node-1' },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    });
    world.time.now += 20_000;
    world.time.passed += 20_000;
    expect(await swept('due')).toEqual(['drain blocked', 'drain pod-refused']);
  });

  test('costs seven requests', async () => {
    guarded(world);
    await hear(there());
    expect(world.management.reads).toEqual([
      `get ${machinePath}`,
      'get clusters/default/c',
      // Its nodeRef has no UID: whose the Node is depends on the other Machines.
      'list machines',
      'list machinedrainrules',
    ]);
    expect(world.workload.reads).toEqual(['get nodes/node-1', 'list pods', 'list poddisruptionbudgets']);
  });

  test('is told as not read where that is so, once', async () => {
    world.workload.on(
      'list pods',
      () => {
        throw new Unavailable('pods is forbidden');
      },
      2,
    );
    const { facts } = await intake(world.env, there());
    expect(facts.at(-1)).toMatchObject({
      kind: 'blocked',
      message: expect.stringContaining('what is on Node node-1 could not be read: pods is forbidden'),
    });
    world.time.now += 20_000;
    world.time.passed += 20_000;
    expect(await swept('due')).toEqual([]);
  });

  test('is not read again before the time is over that its API asks for', async () => {
    const lists = (): number => world.workload.reads.filter((read) => read.startsWith('list pods')).length;
    world.workload.on('list pods', () => {
      throw new Unavailable('slow down', { retryAfterSeconds: 30 });
    });
    await hear(there());
    const before = lists();
    pass(20);
    expect(await swept('due')).toEqual([]);
    expect(lists()).toBe(before);
    pass(20);
    expect(await swept('due')).toEqual(['drain blocked']);
    expect(lists()).toBeGreaterThan(before);
  });

  test('costs one request at a hook', async () => {
    const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/x';
    world.management.put('machines', shows('WaitingForPreDrainHook', { [hook]: 'somebody' }));
    const { facts } = await intake(world.env, there());
    expect(facts.at(-1)).toMatchObject({
      kind: 'hook-waiting',
      hooks: [hook],
      owners: { [hook]: 'somebody' },
    });
    expect([...world.management.reads, ...world.workload.reads]).toEqual([`get ${machinePath}`]);
  });
});
