import { describe, expect, test } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { drain } from '../../../functions/drain.ts';
import { infrastructure } from '../../../functions/infrastructure.ts';
import { phaseFunctions } from '../../../infra/host/phases.ts';
import type { WriteOutcome } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, aCluster, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import {
  aCommand,
  atCheckpoint,
  aWorld,
  machinePath,
  savedCheckpoint,
  type World,
} from '../../builders/world.ts';

/** Its drain has begun, and its Node is cordoned and empty by now. */
function anEmptyNode(): World {
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(aCheckpoint({ seq: 1, phase: 'drain' })) }));
  world.env.phaseOf = (name) => phaseFunctions[name];
  return world;
}

const step = ({ env }: World) => reconcilePhase(env, drain, aCommand({ seq: 1 }));
const save = `patch ${machinePath}`;
const toInfrastructure = { phase: 'infrastructure', seq: 3, passed: { drain: {}, 'volume-detach': {} } };
const conflict = (): WriteOutcome => ({ kind: 'conflict', message: 'the object has been modified' });
const readsOf = ({ workload }: World) => workload.reads.filter((read) => read === 'get nodes/node-1');
const savesOf = ({ log }: World) => log.filter((line) => line === save).length;

describe('phases that pass without an effect', () => {
  test('are passed in one invocation, and saved once, before the next effect', async () => {
    const world = anEmptyNode();
    await step(world);
    const [saved, deleted] = [save, 'delete servers/default/m-1'].map((line) => world.log.indexOf(line));
    expect([savesOf(world), saved! < deleted!]).toEqual([1, true]);
    expect(savedCheckpoint(world)).toMatchObject(toInfrastructure);
  });

  test('are each told, and each in the history', async () => {
    const world = anEmptyNode();
    const { next, facts } = await step(world);
    expect(next).toBeUndefined();
    expect(facts.flatMap((fact) => (fact.kind === 'advanced' ? `${fact.from}/${fact.seq}` : []))).toEqual([
      'drain/2',
      'volume-detach/3',
    ]);
    const history = await world.env.store.history('uid-1');
    expect(history.filter(({ what }) => what === 'advanced').map(({ phase }) => phase)).toEqual([
      'drain',
      'volume-detach',
    ]);
  });

  test('are on record before the next effect', async () => {
    const world = anEmptyNode();
    await step(world);
    const deleted = world.log.indexOf('delete servers/default/m-1');
    const told = world.log.filter((line) => line.startsWith('create events'));
    expect(told).toHaveLength(2);
    expect(told.every((line) => world.log.indexOf(line) < deleted)).toBe(true);
  });

  test('take a step each where the instance may not go on', async () => {
    const world = anEmptyNode();
    delete world.env.phaseOf;
    const { next } = await step(world);
    expect(next).toMatchObject({ phase: 'volume-detach', seq: 2 });
    expect(world.log).not.toContain('delete servers/default/m-1');
  });

  test('are handed on by a step that has lasted more than five seconds: the next one looks for itself', async () => {
    const world = anEmptyNode();
    world.management.on('get clusters/default/c', () => {
      world.time.now += 5_001;
      return undefined;
    });
    const { next } = await step(world);
    expect(next).toMatchObject({ phase: 'volume-detach', seq: 2 });
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'volume-detach', seq: 2 });
  });

  test('are told by none where they could not be saved', async () => {
    const world = anEmptyNode();
    world.management.on(save, () => {
      throw new Unavailable('the API server is away');
    });
    const told: unknown[] = [];
    const asked = reconcilePhase(world.env, drain, aCommand({ seq: 1 }), (facts) => void told.push(...facts));
    await expect(asked).rejects.toThrow('the API server is away');
    expect([told, await world.env.store.history('uid-1')]).toEqual([[], []]);
    expect(world.log).not.toContain('delete servers/default/m-1');
  });

  test('pass again, and are told once, where somebody has written the Machine meanwhile', async () => {
    const world = anEmptyNode();
    world.management.on(save, conflict);
    const { facts } = await step(world);
    expect(facts.filter(({ kind }) => kind === 'advanced')).toHaveLength(2);
    expect(savedCheckpoint(world)).toMatchObject(toInfrastructure);
  });

  test('go on in the next invocation where the Machine is written once they are saved', async () => {
    const world = anEmptyNode();
    world.management.on(`${save}/status`, conflict);
    const { next, facts } = await step(world);
    expect(next).toMatchObject({ phase: 'infrastructure', seq: 3 });
    expect(facts.filter(({ kind }) => kind === 'advanced')).toHaveLength(2);
  });

  test('go by the answer to a cordon, and look once more after any other effect', async () => {
    const cordoned = anEmptyNode();
    await step(cordoned);
    const uncordoned = anEmptyNode();
    uncordoned.workload.change('nodes/node-1', { spec: { unschedulable: null } });
    await step(uncordoned);
    const evicted = anEmptyNode();
    evicted.workload.put('pods', { ...pod('shop/a'), spec: { nodeName: 'node-1' } });
    evicted.workload.on('evict pods/shop/a', () => evicted.workload.drop('pods/shop/a'));
    await step(evicted);
    expect([cordoned, uncordoned, evicted].map((world) => readsOf(world).length)).toEqual([1, 1, 2]);
    expect(savedCheckpoint(evicted)).toMatchObject(toInfrastructure);
  });

  test('are saved before the finalizer goes where the Node stays', async () => {
    const at = aCheckpoint({ seq: 4, phase: 'bootstrap' });
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(at) }));
    world.env.phaseOf = (name) => phaseFunctions[name];
    const metadata = { namespace: 'default', name: 'c', deletionTimestamp: timeAfter(0) };
    world.management.put('clusters', aCluster({ metadata }));
    world.management.drop('configs/default/m-1');
    const { next } = await reconcilePhase(world.env, bootstrap, aCommand({ phase: 'bootstrap', seq: 4 }));
    expect(next).toMatchObject({ phase: 'finalize', seq: 5 });
    expect(savedCheckpoint(world)).toMatchObject({
      phase: 'finalize',
      passed: { node: { as: 'not-applicable' } },
    });
  });
});

/** Its server has gone, and its config and its Node are there. */
function withoutServer(): World {
  const at = aCheckpoint({ seq: 3, phase: 'infrastructure' });
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(at) }));
  world.env.phaseOf = (name) => phaseFunctions[name];
  world.management.drop('servers/default/m-1');
  return world;
}

const goOn = ({ env }: World) =>
  reconcilePhase(env, infrastructure, aCommand({ phase: 'infrastructure', seq: 3 }));
const config = 'configs/default/m-1';

describe('from the infrastructure on', () => {
  test('the config goes under its checkpoint, and the Node once both are saved as gone', async () => {
    const world = withoutServer();
    world.management.on(`delete ${config}`, () => world.management.drop(config));
    const saved: unknown[] = [];
    world.workload.on('delete nodes/node-1', () => void saved.push(savedCheckpoint(world)));
    const { facts } = await goOn(world);
    const effects = [`delete ${config}`, save, 'delete nodes/node-1', `json-patch ${machinePath}`];
    expect(world.log.filter((line) => effects.includes(line))).toEqual(effects);
    expect(saved).toMatchObject([
      { phase: 'node', seq: 5, passed: { infrastructure: { as: 'done' }, bootstrap: { as: 'done' } } },
    ]);
    expect(facts.map((fact) => (fact.kind === 'advanced' ? fact.from : fact.kind))).toEqual([
      'infrastructure',
      'bootstrap',
      'node',
      'completed',
    ]);
  });

  test('a config that takes its time is waited for under its own checkpoint', async () => {
    const world = withoutServer();
    world.management.change(config, { metadata: { finalizers: ['boot.example'] } });
    await goOn(world);
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'bootstrap', seq: 4 });
    expect(world.log).not.toContain('delete nodes/node-1');
  });
});
