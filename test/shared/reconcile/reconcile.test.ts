import { describe, expect, test } from 'vitest';
import { drain } from '../../../functions/drain.ts';
import { phaseFunctions } from '../../../infra/host/phases.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { WriteOutcome } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { nodes } from '../../../shared/kubernetes/resources.ts';
import type { Phase } from '../../../shared/machine/phase.ts';
import type { Conclusion, Decision } from '../../../shared/phase/decision.ts';
import { type DefinedPhase, definePhase } from '../../../shared/phase/definition.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, aCluster, after, aRawMachine } from '../../builders/cluster-api.ts';
import type { FakeCluster } from '../../builders/fake-cluster.ts';
import { pod } from '../../builders/pods.ts';
import { eventsIn } from '../../builders/v1alpha1-world.ts';
import {
  aCommand,
  atCheckpoint,
  aWorld,
  deletingCondition,
  machinePath,
  savedCheckpoint,
  type World,
} from '../../builders/world.ts';

const begun = aCheckpoint({ seq: 1, phase: 'drain' });
const draining = () => aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
const report = { reason: 'DrainingNode', message: 'said' } as const;
const wait: Conclusion & { kind: 'wait' } = { kind: 'wait', until: [], report, requeueAfterSeconds: 20 };
const done: Conclusion = { kind: 'advance', passing: 'done', message: 'nothing is left' };
const cordon: Decision = {
  kind: 'act',
  effects: [{ kind: 'cordon', node: 'node-1', uid: 'node-uid-1' }],
  report,
};
const conflict = (): WriteOutcome => ({ kind: 'conflict', message: 'the object has been modified' });

/** A phase that looks at the Node, then takes the next decision of the list. It repeats the last one. */
function phaseOf(...decisions: Decision[]): DefinedPhase<unknown> & { looks: () => number } {
  let looks = 0;
  const phase = definePhase<unknown>({
    name: 'drain',
    observe: (snapshot) => snapshot.get('workload', nodes, { name: 'node-1' }),
    decide: () => decisions[Math.min(looks++, decisions.length - 1)]!,
    onUnavailable: (_subject, why) => ({ ...wait, report: { ...report, error: why } }),
  });
  return { ...phase, looks: () => looks };
}

const cordons = ({ log }: World) => log.filter((line) => line === 'patch nodes/node-1').length;

describe('acting', () => {
  test('is followed by a new look, and only that look may advance', async () => {
    const world = draining();
    const phase = phaseOf(cordon, done);
    await reconcilePhase(world.env, phase, aCommand());
    expect(phase.looks()).toBe(2);
    expect(world.log).toEqual([
      'claim',
      'patch nodes/node-1',
      'patch machines/default/m-1',
      'drop wake-ups',
      'history acted, advanced',
      'release',
    ]);
  });

  test('waits for the checkpoint to be on the Machine', async () => {
    const world = aWorld();
    await reconcilePhase(world.env, phaseOf(cordon, wait), aCommand({ seq: 0 }));
    expect(world.log.slice(0, 3)).toEqual(['claim', 'patch machines/default/m-1', 'patch nodes/node-1']);
  });

  test('does not happen when the checkpoint meets a conflict; the Machine is looked at anew', async () => {
    const world = aWorld();
    world.management.on(`patch ${machinePath}`, () => {
      world.management.change(machinePath, { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } });
    });
    const result = await reconcilePhase(world.env, phaseOf(cordon, wait), aCommand({ seq: 0 }));
    expect(cordons(world)).toBe(0);
    expect(result.facts).toMatchObject([{ kind: 'blocked', reason: 'Paused' }]);
  });

  test('finds the first look due in the usual time, should nothing come of this step', async () => {
    const world = aWorld();
    world.management.on(`patch ${machinePath}`, () => {
      throw new Unavailable('no answer');
    });
    await expect(reconcilePhase(world.env, phaseOf(cordon), aCommand({ seq: 0 }))).rejects.toThrow(
      'no answer',
    );
    expect(await world.env.store.due(after(30), 10)).toMatchObject([{ at: after(30) }]);
  });

  test('waits for a slow store: due before saved, and not due any more before all is told', async () => {
    const world = aWorld();
    const order: string[] = [];
    const slowly = (what: string) => async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(what);
      return true;
    };
    const { store } = world.env;
    world.env.store = {
      ...store,
      claim: async (claim) => slowly('due')().then(() => store.claim(claim)),
      unschedule: async () => void (await slowly('not due any more')()),
    };
    world.management.on(`patch ${machinePath}`, () => void order.push('saved'));
    world.workload.on('patch nodes/node-1', () => world.management.drop(machinePath));
    await reconcilePhase(world.env, phaseOf(cordon, done), aCommand({ seq: 0 }));
    expect(order).toEqual(['due', 'saved', 'not due any more']);
  });

  test('that begins is due again after the time that is configured', async () => {
    const world = aWorld(aRawMachine(), { requeueAfterSeconds: 7 });
    world.management.on(`patch ${machinePath}`, () => {
      throw new Unavailable('no answer');
    });
    await expect(reconcilePhase(world.env, phaseOf(wait), aCommand({ seq: 0 }))).rejects.toThrow(Unavailable);
    expect(await world.env.store.due(after(17), 10)).toMatchObject([{ at: after(17) }]);
  });

  test('that only hands on waits until what it has to tell is on record', async () => {
    const unusable = { 'phaseout.dev/checkpoint': 'corrupt' };
    const hook = { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/x': '' };
    const world = aWorld(aRawMachine({ annotations: { ...unusable, ...hook } }));
    const created: unknown[] = [];
    const { management } = world;
    const create = management.create.bind(management);
    management.create = async (resource, object) => {
      await new Promise((resolve) => setImmediate(resolve));
      created.push(object['reason']);
      return create(resource, object);
    };
    const { next } = await reconcilePhase(world.env, phaseOf(wait), aCommand({ seq: 0 }));
    expect(next?.phase).toBe('pre-drain');
    expect(created).toContain('CheckpointUnusable');
  });

  test('is what events of the very Machine wait for', async () => {
    const world = draining();
    const order: string[] = [];
    const { promise: told, resolve: tell } = Promise.withResolvers<void>();
    world.workload.on('get nodes/node-1', () => {
      void world.env.machineQueue
        .settled('uid-1')
        .then(() => order.push('settled'))
        .then(() => tell());
    });
    world.management.on(`patch ${machinePath}`, () => void order.push('saved'));
    await reconcilePhase(world.env, phaseOf(done), aCommand());
    await told;
    expect(order).toEqual(['saved', 'settled']);
  });

  test('of a Machine that has gone leaves nothing due', async () => {
    const world = draining();
    await world.env.store.schedule({ machine: aCommand().machine, at: after(20), failures: 0 });
    world.workload.on('get nodes/node-1', () => world.management.drop(machinePath));
    await reconcilePhase(world.env, phaseOf(done), aCommand());
    expect(await world.env.store.due(after(3_600), 10)).toEqual([]);
    expect(world.env.cache.isGone('uid-1')).toBe(true);
  });

  test('saves where the deletion begins once, and does not read what it has just written', async () => {
    const world = aWorld();
    world.management.on(`patch ${machinePath}`, () => {
      world.time.now += 1_000;
    });
    await reconcilePhase(world.env, phaseOf(cordon, cordon, wait), aCommand({ seq: 0 }));
    expect(cordons(world)).toBe(2);
    expect(world.log.filter((line) => line === `patch ${machinePath}`)).toHaveLength(1);
    expect(world.management.reads.filter((read) => read === `get ${machinePath}`)).toHaveLength(1);
  });

  test('goes on without end in rounds no longer than six, then looks again in a second', async () => {
    const world = draining();
    const phase = phaseOf(cordon);
    await reconcilePhase(world.env, phase, aCommand());
    expect(phase.looks()).toBe(6);
    expect(deletingCondition(world)).toEqual(report);
    expect(await world.env.store.due(after(11), 1)).toMatchObject([{ at: after(11) }]);
  });

  test('on a Machine that was seen more than a second ago asks again first', async () => {
    const world = draining();
    const phase = phaseOf(cordon, wait);
    world.workload.on('get nodes/node-1', () => {
      world.time.now += 1_001;
      world.management.change(machinePath, { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } });
    });
    await reconcilePhase(world.env, phase, aCommand());
    expect(cordons(world)).toBe(0);
    expect(world.log).not.toContain(`patch ${machinePath}`);
  });

  test('on a Machine that is remembered as the command means it does not read it at all', async () => {
    const world = draining();
    world.env.cache.rememberMachine(world.management.at(machinePath)!);
    await reconcilePhase(world.env, phaseOf(cordon, wait), aCommand({ resourceVersion: '7' }));
    expect(cordons(world)).toBe(1);
    expect(world.management.reads).not.toContain(`get ${machinePath}`);
  });

  test('on a Machine that has changed since it was remembered begins anew, without that memory', async () => {
    const world = draining();
    world.env.cache.rememberMachine(world.management.at(machinePath)!);
    world.workload.on('get nodes/node-1', () => {
      world.time.now += 1_001;
      world.management.change(machinePath, { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } });
    });
    const result = await reconcilePhase(world.env, phaseOf(cordon), aCommand({ resourceVersion: '7' }));
    expect(cordons(world)).toBe(0);
    expect(result.facts).toMatchObject([{ kind: 'blocked', reason: 'Paused' }]);
  });

  test.each([
    ['of one version are served by one look', '7', 2],
    ['of two versions by one look each', '8', 3],
  ])('waits for a step under way: commands that wait %s', async (_what, resourceVersion, looks) => {
    const world = draining();
    const phase = phaseOf(wait);
    const versions = [undefined, '7', resourceVersion];
    await Promise.all(
      versions.map((version) =>
        reconcilePhase(world.env, phase, aCommand(version === undefined ? {} : { resourceVersion: version })),
      ),
    );
    expect(phase.looks()).toBe(looks);
  });

  test('on a Machine that was just seen does not', async () => {
    const world = draining();
    await reconcilePhase(world.env, phaseOf(cordon, wait), aCommand());
    expect(world.management.reads.filter((read) => read === `get ${machinePath}`)).toHaveLength(1);
  });

  test('that fails is not told as if it had been done', async () => {
    const world = draining();
    const fact = { type: 'Normal', reason: 'SuccessfulDrainNode', message: 'begun' } as const;
    world.workload.on('patch nodes/node-1', () => ({ kind: 'refused', code: 403, message: 'forbidden' }));
    await reconcilePhase(world.env, phaseOf({ ...cordon, events: [fact] }, wait), aCommand());
    expect(world.log.filter((line) => line.startsWith('create events'))).toEqual([]);
    await reconcilePhase(world.env, phaseOf({ ...cordon, events: [fact] }, wait), aCommand());
    expect(world.log.filter((line) => line.startsWith('create events'))).toHaveLength(1);
  });

  test('that fails by a mistake of ours is thrown, and told as nothing else', async () => {
    const world = draining();
    world.workload.on('patch nodes/node-1', () => {
      throw new TypeError('undefined is not a function');
    });
    await expect(reconcilePhase(world.env, phaseOf(cordon, done), aCommand())).rejects.toThrow(TypeError);
    expect(world.log).toEqual(['claim', 'patch nodes/node-1', 'release']);
  });

  test('that fails becomes what the phase says of it', async () => {
    const world = draining();
    world.workload.on('patch nodes/node-1', () => ({ kind: 'refused', code: 403, message: 'forbidden' }));
    const result = await reconcilePhase(world.env, phaseOf(cordon, done), aCommand());
    expect(savedCheckpoint(world)).toEqual(begun);
    expect(result.facts).toMatchObject([
      { kind: 'failed', error: 'failed to cordon Node node-1: forbidden' },
    ]);
  });
});

describe('a world that cannot be looked at', () => {
  test('becomes a report on the Machine and a saved look', async () => {
    const world = draining();
    world.workload.on('get nodes/node-1', () => {
      throw new Unavailable('connection refused');
    });
    const result = await reconcilePhase(world.env, phaseOf(done), aCommand());
    expect(result.next).toBeUndefined();
    expect(result.facts).toMatchObject([{ kind: 'failed', error: 'connection refused' }]);
    expect(savedCheckpoint(world)).toEqual(begun);
    expect(await world.env.store.due(after(30), 1)).toMatchObject([{ at: after(30) }]);
  });

  test('is left alone as long as it asks', async () => {
    const world = draining();
    world.workload.on('get nodes/node-1', () => {
      throw new Unavailable('slow down', { retryAfterSeconds: 45 });
    });
    await reconcilePhase(world.env, phaseOf(done), aCommand());
    expect(await world.env.store.due(after(44), 1)).toEqual([]);
    expect(await world.env.store.due(after(55), 1)).toMatchObject([{ at: after(55) }]);
  });

  test.each<[Phase]>([['drain'], ['volume-detach'], ['node']])(
    'is left alone as long as it asks also by whoever watches: %s',
    async (phase) => {
      const annotations = atCheckpoint(aCheckpoint({ seq: 1, phase }));
      const world = aWorld(aRawMachine({ annotations }));
      world.workload.on('get nodes/node-1', () => {
        throw new Unavailable('slow down', { retryAfterSeconds: 45 });
      });
      await reconcilePhase(world.env, phaseFunctions[phase], aCommand({ phase }));
      const times = world.kept.flatMap(({ until }) =>
        until.flatMap((end) => (end.kind === 'time' ? end.at : [])),
      );
      expect(Math.min(...times)).toBe(after(55));
    },
  );

  test('says so also before a phase could begin to look', async () => {
    const world = draining();
    world.management.on('get clusters/default/c', () => {
      throw new Unavailable('the API does not answer');
    });
    const result = await reconcilePhase(world.env, phaseOf(done), aCommand());
    expect(world.workload.reads).toEqual([]);
    expect(savedCheckpoint(world)).toEqual(begun);
    expect(result.facts).toMatchObject([
      { kind: 'failed', reason: 'InternalError', error: 'the API does not answer' },
    ]);
    expect(deletingCondition(world)).toEqual({ reason: 'InternalError', message: 'the API does not answer' });
    expect(await world.env.store.due(after(15), 1)).toMatchObject([{ at: after(15) }]);
  });

  test('is left alone as long as it asks also before a phase could begin to look', async () => {
    const world = draining();
    world.management.on('get clusters/default/c', () => {
      throw new Unavailable('slow down', { retryAfterSeconds: 45 });
    });
    await reconcilePhase(world.env, phaseOf(done), aCommand());
    expect(await world.env.store.due(after(60), 1)).toMatchObject([{ at: after(55) }]);
  });

  test.each<[string, string]>([
    ['the infrastructure', 'get servers/default/m-1'],
    ['the control plane', 'get controlplanes/default/cp'],
  ])('is left alone as long as it asks also where it was asked for %s', async (_what, call) => {
    const world = draining();
    const controlPlaneRef = { apiGroup: 'cp.example', kind: 'ControlPlane', name: 'cp' };
    world.management.put('clusters', aCluster({ spec: { controlPlaneRef } }));
    world.management.on(call, () => {
      throw new Unavailable('slow down', { retryAfterSeconds: 45 });
    });
    await reconcilePhase(world.env, drain, aCommand());
    expect(await world.env.store.due(after(60), 1)).toMatchObject([{ at: after(55) }]);
  });

  test.each<[string, (world: World) => FakeCluster, string]>([
    ['in a phase', ({ workload }) => workload, 'get nodes/node-1'],
    ['before it', ({ management }) => management, 'get clusters/default/c'],
  ])('is not what a mistake of ours %s looks like: that one is thrown', async (_when, cluster, call) => {
    const world = draining();
    cluster(world).on(call, () => {
      throw new TypeError('undefined is not a function');
    });
    await expect(reconcilePhase(world.env, phaseOf(done), aCommand())).rejects.toThrow(TypeError);
    expect(world.log).toEqual(['claim', 'release']);
  });

  test('is thrown when not even the Machine can be read: the event may be delivered again', async () => {
    const world = draining();
    world.management.on(`get ${machinePath}`, () => {
      throw new Unavailable('no answer');
    });
    await expect(reconcilePhase(world.env, phaseOf(done), aCommand())).rejects.toThrow('no answer');
  });
});

describe('conflicts', () => {
  test('make the step start over, five times at most', async () => {
    const world = draining();
    world.management.on(`patch ${machinePath}`, conflict, 4);
    const phase = phaseOf(done);
    expect((await reconcilePhase(world.env, phase, aCommand())).next).toMatchObject({
      phase: 'volume-detach',
    });
    expect(phase.looks()).toBe(5);
    expect(world.said).toEqual(['Drain completed', 'Phase passed']);

    const other = draining();
    other.management.on(`patch ${machinePath}`, conflict, 5);
    await expect(reconcilePhase(other.env, phaseOf(done), aCommand())).rejects.toThrow(
      'Machine default/m-1 kept changing meanwhile',
    );
  });

  test('after effects take nothing back: what was done is told once the Machine could be written', async () => {
    const world = draining();
    world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
    world.management.on(`patch ${machinePath}/status`, conflict, 2);
    const result = await reconcilePhase(world.env, drain, aCommand());
    expect(result.facts.map(({ kind }) => kind)).toEqual(['pod-evicted', 'blocked']);
    expect(world.log.filter((line) => line.startsWith('evict'))).toEqual(['evict pods/ns/a']);
    expect((await world.env.store.history('uid-1')).map(({ what }) => what)).toEqual(['acted', 'waited']);
    expect(world.said.filter((line) => /requeuing/.test(line))).toHaveLength(1);
  });

  test('that do not end leave what was done to be told, which nobody would tell of later', async () => {
    const world = draining();
    world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
    world.management.on(`patch ${machinePath}/status`, conflict, 5);
    const left: string[] = [];
    const step = reconcilePhase(world.env, drain, aCommand(), (facts) =>
      left.push(...facts.map(({ kind }) => kind)),
    );
    await expect(step).rejects.toThrow('Machine default/m-1 kept changing meanwhile');
    expect(left).toEqual(['pod-evicted']);
    const [entry, ...others] = await world.env.store.history('uid-1');
    expect([entry, others]).toMatchObject([{ what: 'acted', phase: 'drain', reason: 'DrainingNode' }, []]);
  });

  test.each<[string, (world: World) => void]>([
    [
      'has been taken further by another instance',
      ({ management }) => {
        const further = aCheckpoint({ phase: 'volume-detach', seq: 2 });
        management.change(machinePath, { metadata: { annotations: atCheckpoint(further) } });
      },
    ],
    ['has gone', ({ management }) => management.drop(machinePath)],
    [
      'has lost its checkpoint and got a hook, and so begins elsewhere',
      ({ management }) => {
        const hook = { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/x': '' };
        const annotations = { 'phaseout.dev/checkpoint': 'corrupt', ...hook };
        management.change(machinePath, { metadata: { annotations } });
      },
    ],
    [
      'is no more to be held',
      ({ management }) =>
        management.change(machinePath, { metadata: { finalizers: ['other.example/held'] } }),
    ],
    [
      'was put at another phase by hand',
      ({ management }) => {
        const elsewhere = atCheckpoint(aCheckpoint({ phase: 'volume-detach', seq: 1 }));
        management.change(machinePath, { metadata: { annotations: elsewhere } });
      },
    ],
  ])('leave what was done on record where the Machine %s by then', async (_what, meanwhile) => {
    const world = draining();
    world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
    world.management.on(`patch ${machinePath}/status`, () => {
      meanwhile(world);
      return conflict();
    });
    const { facts } = await reconcilePhase(world.env, drain, aCommand());
    expect(facts[0]?.kind).toBe('pod-evicted');
    const kept = await world.env.store.history('uid-1');
    expect(kept.map(({ what, phase }) => `${what} in ${phase}`)).toEqual(['acted in drain']);
  });

  test('that are followed by silence leave what was done on record, once', async () => {
    const world = draining();
    world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
    world.management.on(`patch ${machinePath}/status`, () => {
      world.management.on(`get ${machinePath}`, () => {
        throw new Unavailable('no answer');
      });
      return conflict();
    });
    await expect(reconcilePhase(world.env, drain, aCommand())).rejects.toThrow('no answer');
    expect((await world.env.store.history('uid-1')).map(({ what }) => what)).toEqual(['acted']);
  });

  test('after the first checkpoint do not swallow that the deletion has begun', async () => {
    const world = aWorld(aRawMachine({ annotations: { 'phaseout.dev/checkpoint': 'corrupt' } }));
    world.management.on(`patch ${machinePath}/status`, conflict);
    const result = await reconcilePhase(world.env, phaseOf(wait), aCommand({ seq: 0 }));
    expect(result.facts.map(({ kind }) => kind)).toEqual(['started', 'blocked']);
    expect(await eventsIn(world)).toEqual([
      'Warning CheckpointUnusable: The checkpoint annotation could not be used (it is not JSON); it was rebuilt from what can be observed',
    ]);
  });

  test('of the first checkpoint do not tell of a beginning twice', async () => {
    const world = aWorld();
    world.management.on(`patch ${machinePath}`, conflict);
    const result = await reconcilePhase(world.env, phaseOf(done), aCommand({ seq: 0 }));
    expect(result.facts.map(({ kind }) => kind)).toEqual(['started', 'advanced']);
  });
});

describe('two instances', () => {
  test('at the same step: one advances, the other finds that it has been done', async () => {
    const world = draining();
    const stale = world.another();
    const raw = world.management.at(machinePath)!;
    stale.cache.rememberMachine(raw);
    const command = aCommand({ resourceVersion: '7' });
    const first = await reconcilePhase(world.env, phaseOf(done), command);
    const second = await reconcilePhase(stale, phaseOf(done), command);
    expect(first.next).toMatchObject({ phase: 'volume-detach', seq: 2 });
    expect(second).toEqual({ facts: [] });
    expect(savedCheckpoint(world)).toMatchObject({ seq: 2, phase: 'volume-detach' });
  });

  test('a stale one that wants to act looks again before it does', async () => {
    const world = draining();
    const stale = world.another();
    stale.cache.rememberMachine(world.management.at(machinePath)!);
    world.time.now += 1_001;
    world.management.change(machinePath, { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } });
    await reconcilePhase(stale, phaseOf(cordon, wait), aCommand({ resourceVersion: '7' }));
    expect(cordons(world)).toBe(0);
  });

  test('at the same time: Pods are evicted once', async () => {
    const world = draining();
    world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
    const results = await Promise.all([
      reconcilePhase(world.env, drain, aCommand()),
      reconcilePhase(world.another(), drain, aCommand()),
    ]);
    expect(savedCheckpoint(world)).toEqual(begun);
    const told = results.flatMap(({ facts }) => facts).map(({ kind }) => kind);
    expect(told).toEqual(['pod-evicted', 'blocked']);
    expect(world.log.filter((line) => line.startsWith('evict'))).toEqual(['evict pods/ns/a']);
  });
});

describe('a Machine that is gone', () => {
  test('leaves nothing behind', async () => {
    const world = draining();
    await world.env.store.schedule({ machine: aCommand().machine, at: after(5), failures: 0 });
    world.management.drop(machinePath);
    expect(await reconcilePhase(world.env, phaseOf(done), aCommand())).toEqual({ facts: [] });
    expect(await world.env.store.due(after(60), 10)).toEqual([]);
    expect(world.log.slice(2)).toEqual(['drop wake-ups', 'unschedule']);
  });

  test('only after Pods were evicted: that is still told, and nothing is left behind', async () => {
    const world = draining();
    world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
    world.management.on(`patch ${machinePath}/status`, () => world.management.drop(machinePath));
    const { facts } = await reconcilePhase(world.env, drain, aCommand());
    expect(facts.map(({ kind }) => kind)).toEqual(['pod-evicted']);
    expect(world.said).not.toContainEqual(expect.stringMatching(/requeuing/));
    expect(world.log.slice(-2)).toEqual(['drop wake-ups', 'unschedule']);
    expect((await world.env.store.history('uid-1')).map(({ what }) => what)).toEqual(['acted']);
  });

  test('before it could be saved that a phase was passed: nobody is told that it was', async () => {
    const world = draining();
    world.management.on(`patch ${machinePath}`, () => world.management.drop(machinePath));
    expect(await reconcilePhase(world.env, phaseOf(done), aCommand())).toEqual({ facts: [] });
    expect(world.said).toEqual([]);
  });

  test('and whose name was taken again is gone all the same', async () => {
    const world = aWorld(aRawMachine({ metadata: { uid: 'uid-2' } }));
    expect(await reconcilePhase(world.env, phaseOf(done), aCommand())).toEqual({ facts: [] });
    expect(world.management.patches).toEqual([]);
  });

  test('is not asked about a second time', async () => {
    const world = draining();
    world.env.cache.rememberGone('uid-1');
    expect(await reconcilePhase(world.env, phaseOf(done), aCommand())).toEqual({ facts: [] });
    expect(world.management.reads).toEqual([]);
  });
});

test('commands of one kind that come while a step waits for its turn are served by one look', async () => {
  const world = draining();
  const phase = phaseOf(wait);
  const commands = Array.from({ length: 5 }, () => reconcilePhase(world.env, phase, aCommand()));
  const results = await Promise.all(commands);
  expect(phase.looks()).toBe(2);
  const nothing = { facts: [] };
  expect(results).toMatchObject([{ facts: [{ kind: 'blocked' }] }, nothing, nothing, nothing, nothing]);
});

/** Cluster API's dialect, as if others went by what the status says before an effect. */
function aWorldThatIsRead(): World {
  const world = draining();
  Object.assign(world.env, { dialects: [{ ...clusterApi, showsProgress: false }] });
  return world;
}

describe('where the status does not follow each step', () => {
  const statusPath = `patch ${machinePath}/status`;

  test('an effect is written there before it is made', async () => {
    const world = aWorldThatIsRead();
    await reconcilePhase(world.env, phaseOf(cordon, done), aCommand());
    expect(world.log.slice(1, 3)).toEqual([statusPath, 'patch nodes/node-1']);
  });

  test('an effect is not made before that could be written, on the Machine as it is by then', async () => {
    const world = aWorldThatIsRead();
    world.management.on(statusPath, () => {
      world.management.change(machinePath, { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } });
    });
    await reconcilePhase(world.env, phaseOf(cordon, done), aCommand());
    expect(cordons(world)).toBe(0);
    expect(savedCheckpoint(world)).toEqual(begun);
  });
});
