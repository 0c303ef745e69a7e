import { expect, test } from 'vitest';
import { deadLetter } from '../../../functions/dead-letter.ts';
import { drain } from '../../../functions/drain.ts';
import { finalize } from '../../../functions/finalize.ts';
import { sweep } from '../../../functions/sweep.ts';
import { tickingStore } from '../../../infra/host/ticking-store.ts';
import { intakeEvent } from '../../../shared/intake/intake.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import type { Environment } from '../../../shared/runtime/environment.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import { aLivingOriginal } from '../../builders/v1alpha1.ts';
import { anOriginalWorld, type OriginalWorld } from '../../builders/v1alpha1-world.ts';
import { aCommand, atCheckpoint, aWorld, machinePath, type World } from '../../builders/world.ts';

// Between events an instance may be frozen or gone: what it was to do must be done when it answers.

/** What others would outlast that come after it, unless it is waited for. */
const slowOnes = [
  'store.schedule',
  'store.unschedule',
  'store.appendHistory',
  'store.recordEvictions',
  'management.create',
  'ticks.start',
  'ticks.rest',
];

/** The same, where one kind of call takes its time. */
function slow<T extends object>(api: T, name: string, slowOne: string, underWay: Set<string>): T {
  return new Proxy(api, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function' || key === 'watch' || key === 'isAvailable') return value;
      return async (...given: unknown[]): Promise<unknown> => {
        const call = `${name}.${String(key)}`;
        underWay.add(call);
        try {
          await new Promise((resolve) => setTimeout(resolve, call === slowOne ? 40 : 0));
          return await value.apply(target, given);
        } finally {
          underWay.delete(call);
        }
      };
    },
  });
}

/** What is still under way once `work` has answered, or failed. */
async function leftBy(
  env: Environment,
  slowOne: string,
  work: (slowed: Environment) => Promise<unknown>,
): Promise<string[]> {
  const underWay = new Set<string>();
  const ticks = slow(env.ticks, 'ticks', slowOne, underWay);
  const slowed = {
    ...env,
    management: slow(env.management, 'management', slowOne, underWay),
    actuator: slow(env.actuator, 'actuator', slowOne, underWay),
    store: tickingStore(slow(env.store, 'store', slowOne, underWay), ticks),
    ticks,
  };
  await work(slowed).catch((error: unknown) => {
    if (!(error instanceof Unavailable)) throw error;
  });
  return [...underWay];
}

const conflict = () => ({ kind: 'conflict', message: 'changed' }) as const;
const refused = () => ({ kind: 'refused', code: 403, message: 'no' }) as const;
const noAnswer = (): never => {
  throw new Unavailable('no answer');
};
const begun = atCheckpoint(aCheckpoint({ phase: 'drain', seq: 1 }));

function draining(): World {
  const world = aWorld(aRawMachine({ annotations: begun }));
  world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
  return world;
}
const drained = (env: Environment) => reconcilePhase(env, drain, aCommand());

test.each<[string, () => World, (env: Environment, world: World) => Promise<unknown>]>([
  ['a step that evicts and waits', draining, drained],
  ['a step that begins', () => aWorld(), (env) => reconcilePhase(env, drain, aCommand({ seq: 0 }))],
  ['a step that passes its phase', () => aWorld(aRawMachine({ annotations: begun })), drained],
  [
    'the last step',
    () =>
      aWorld(
        aRawMachine({
          annotations: atCheckpoint(aCheckpoint({ phase: 'finalize', seq: 6, since: timeAfter(9) })),
        }),
      ),
    (env) => reconcilePhase(env, finalize, aCommand({ phase: 'finalize', seq: 6 })),
  ],
  [
    'a step whose Machine vanishes under it',
    () => {
      const world = draining();
      world.management.on(`patch ${machinePath}/status`, () => world.management.drop(machinePath));
      return world;
    },
    drained,
  ],
  [
    'a step that nobody answers any more after it has evicted',
    () => {
      const world = draining();
      world.management.on(`patch ${machinePath}/status`, () => {
        world.management.on(`get ${machinePath}`, noAnswer);
        return conflict();
      });
      return world;
    },
    drained,
  ],
  [
    'a step whose Machine is let go meanwhile',
    () => {
      const world = draining();
      world.management.on(`patch ${machinePath}/status`, () => {
        world.management.change(machinePath, { metadata: { finalizers: ['other.example/held'] } });
        return conflict();
      });
      return world;
    },
    drained,
  ],
  [
    'a step whose writes are refused',
    () => {
      const world = aWorld();
      world.management.on(`patch ${machinePath}`, refused, 9);
      return world;
    },
    (env) => reconcilePhase(env, drain, aCommand({ seq: 0 })),
  ],
  [
    'a sweep of what is due',
    () => aWorld(aRawMachine({ annotations: begun })),
    async (env, world) => {
      await world.env.store.schedule({ machine: aCommand().machine, at: after(5), failures: 0 });
      return sweep(env, 'due');
    },
  ],
  [
    'a sweep of what is due, and gone',
    () => {
      const world = aWorld();
      world.management.drop(machinePath);
      return world;
    },
    async (env, world) => {
      await world.env.store.schedule({ machine: aCommand().machine, at: after(5), failures: 0 });
      return sweep(env, 'due');
    },
  ],
  ['a sweep of everything', () => aWorld(), (env) => sweep(env, 'all')],
  [
    'a sweep of everything where nothing is being deleted',
    () => {
      const world = aWorld();
      world.management.drop(machinePath);
      return world;
    },
    (env) => sweep(env, 'all'),
  ],
  [
    'a dead letter',
    () => aWorld(),
    (env) =>
      deadLetter(env, {
        id: '1',
        type: 'dev.phaseout.deletion.advance.v1',
        source: '/phaseout',
        kind: 'command',
        destination: 'http://phaseout/drain',
        status: 503,
        answer: 'no',
        machine: aCommand().machine,
      }),
  ],
])('%s leaves nothing under way', async (_, made, work) => {
  for (const slowOne of slowOnes) {
    const world = made();
    expect(await leftBy(world.env, slowOne, (env) => work(env, world))).toEqual([]);
  }
});

test.each<[string, (world: OriginalWorld) => void]>([
  [
    'that is updated and may have more to report',
    ({ cloud }) => cloud.next('exists', () => ({ kind: 'exists', retryAfterSeconds: 30 })),
  ],
  ['that gets its server', ({ cloud }) => cloud.servers.clear()],
  [
    'whose provider fails',
    ({ cloud }) => cloud.next('update', () => ({ kind: 'failed', reason: undefined, message: 'no' })),
  ],
  [
    'whose provider asks for time, after a sooner look was set',
    ({ cloud, env }) =>
      cloud.next('exists', async () => {
        await env.store.schedule({
          machine: { apiVersion: 'cluster.k8s.io/v1alpha1', namespace: 'default', name: 'm-1', uid: 'uid-1' },
          at: after(11),
          failures: 0,
        });
        return { kind: 'retry', afterSeconds: 60, message: 'later' };
      }),
  ],
])('a living Machine %s leaves nothing under way', async (_, prepare) => {
  for (const slowOne of slowOnes) {
    const world = anOriginalWorld(aLivingOriginal({ metadata: {} }));
    prepare(world);
    const raw = world.management.at(machinePath)!;
    expect(await leftBy(world.env, slowOne, (env) => intakeEvent(env, raw))).toEqual([]);
  }
});
