import { describe, expect, test } from 'vitest';
import { sweep } from '../../../../functions/sweep.ts';
import { phaseFunctions } from '../../../../infra/host/phases.ts';
import { intakeEvent } from '../../../../shared/intake/intake.ts';
import { NoCredentials, Unavailable } from '../../../../shared/kubernetes/errors.ts';
import type { Fact } from '../../../../shared/machine/messages.ts';
import type { Phase } from '../../../../shared/machine/phase.ts';
import { reconcilePhase } from '../../../../shared/reconcile/reconcile.ts';
import type { Requeue } from '../../../../shared/store/port.ts';
import { after } from '../../../builders/cluster-api.ts';
import { aRawOriginal, finalizer, foreground, withoutCluster } from '../../../builders/v1alpha1.ts';
import { anOriginalWorld, eventsIn, type OriginalWorld } from '../../../builders/v1alpha1-world.ts';
import { machinePath } from '../../../builders/world.ts';

/** Runs one phase after the other until one waits, or the Machine is done with. */
async function walk(world: OriginalWorld): Promise<{ phases: Phase[]; told: Fact[] }> {
  const phases: Phase[] = [];
  const told: Fact[] = [];
  const raw = world.management.at(machinePath);
  let command = raw === undefined ? undefined : await intakeEvent(world.env, raw);
  while (command !== undefined) {
    if (phases.at(-1) !== command.phase) phases.push(command.phase);
    const { next, facts } = await reconcilePhase(world.env, phaseFunctions[command.phase], command);
    told.push(...facts);
    command = next;
  }
  return { phases, told };
}

const finalizers = ({ management }: OriginalWorld) => management.at(machinePath)?.metadata.finalizers;
const hasNode = ({ workload }: OriginalWorld) => workload.at('nodes/node-1') !== undefined;
const dueAt = async ({ env }: OriginalWorld) => (await env.store.due(after(1_000), 10)).map(({ at }) => at);
const effects = ({ log }: OriginalWorld) =>
  log.filter((line) => /^(?:delete|json-patch|exists|create m|update|evict|patch nodes)/.test(line));

const lookWhileLiving = (seconds: number): Requeue => ({
  machine: { apiVersion: 'cluster.k8s.io/v1alpha1', namespace: 'default', name: 'm-1', uid: 'uid-1' },
  at: after(seconds),
  failures: 0,
});

const fail = () => ({ kind: 'failed', reason: 'DeleteError', message: 'quota' }) as const;

/** The instance runs on node-1, which is the Machine's where its UID is the one that the Machine names. */
function own(uid = 'node-uid-1'): OriginalWorld {
  const world = anOriginalWorld(aRawOriginal(), { ownNode: 'node-1' });
  world.management.put('nodes', { metadata: { name: 'node-1', uid } });
  return world;
}

describe('a deletion', () => {
  test('has the provider remove the server, then deletes the Node, then lets go of the Machine', async () => {
    const world = anOriginalWorld();
    const { phases } = await walk(world);
    expect(phases).toEqual(['infrastructure', 'node', 'finalize']);
    expect(effects(world)).toEqual(['delete m-1', 'delete nodes/node-1', 'json-patch machines/default/m-1']);
    expect(world.cloud.servers).toEqual(new Set());
  });

  test('asks about nothing but the server: that it exists is not asked, and nothing is drained', async () => {
    const world = anOriginalWorld();
    await walk(world);
    expect(world.cloud.asked).toEqual(['delete m-1']);
    expect(world.cloud.targets[0]).toMatchObject({
      machine: { metadata: { uid: 'uid-1' } },
      cluster: { metadata: { uid: 'cluster-uid' } },
    });
  });

  test('takes off our finalizer and leaves foregroundDeletion to Kubernetes', async () => {
    const world = anOriginalWorld();
    await walk(world);
    expect(finalizers(world)).toEqual([foreground]);
  });

  test('ends with the Machine where nobody else holds it', async () => {
    const world = anOriginalWorld(aRawOriginal({ metadata: { finalizers: [finalizer] } }));
    const { told } = await walk(world);
    expect(world.management.at(machinePath)).toBeUndefined();
    expect(told.at(-1)?.kind).toBe('completed');
  });

  test('writes nothing to the status and no Events', async () => {
    const world = anOriginalWorld();
    const { status } = aRawOriginal();
    await walk(world);
    expect(world.log.filter((line) => line.includes('/status'))).toEqual([]);
    expect(world.management.at(machinePath)?.['status']).toEqual(status);
    expect(await eventsIn(world)).toEqual([]);
  });

  test('of a Machine without our finalizer is none of ours', async () => {
    const world = anOriginalWorld(aRawOriginal({ metadata: { finalizers: [foreground] } }));
    expect(await walk(world)).toEqual({ phases: [], told: [] });
    expect(world.log).toEqual([]);
  });

  test('needs no cluster; the Node then stays', async () => {
    const world = anOriginalWorld(aRawOriginal({ metadata: { ...withoutCluster, finalizers: [finalizer] } }));
    expect((await walk(world)).phases).toEqual(['infrastructure', 'finalize']);
    expect(world.management.reads).not.toContain('get clusters/default/c');
    expect(world.cloud.targets[0]?.cluster).toBeUndefined();
    expect(hasNode(world)).toBe(true);
  });

  test('goes on while the Cluster is being deleted, and counts its control plane', async () => {
    const world = anOriginalWorld();
    world.management.change('clusters/default/c', {
      metadata: { deletionTimestamp: '2026-01-01T12:00:00Z', finalizers: ['cluster.cluster.k8s.io'] },
    });
    await walk(world);
    expect(hasNode(world)).toBe(false);
    expect(finalizers(world)).toEqual([foreground]);
  });
});

describe('the provider', () => {
  test.each([
    [7, 17],
    [0.2, 11],
  ])('that wants to be asked again in %s seconds is, and this is no error', async (afterSeconds, due) => {
    const world = anOriginalWorld();
    world.cloud.next('delete', () => ({ kind: 'retry', afterSeconds, message: 'still stopping' }));
    const { told } = await walk(world);
    expect(await dueAt(world)).toEqual([after(due)]);
    expect(world.kept.at(-1)?.until).toEqual([{ kind: 'time', at: after(due) }]);
    expect(told.map(({ kind }) => kind)).toEqual(['started', 'blocked']);
    expect(await eventsIn(world)).toEqual([]);
    world.time.now = after(20);
    await walk(world);
    expect(world.cloud.asked).toEqual(['delete m-1', 'delete m-1']);
    expect(finalizers(world)).toEqual([foreground]);
  });

  test.each<[asked: string, lived: Requeue[]]>([
    ['for nothing', []],
    ['for a look in an hour', [lookWhileLiving(3_600)]],
    ['for a look in 15 seconds', [lookWhileLiving(15)]],
  ])(
    'that asks for 45 seconds is left alone for as long by an instance that knows nothing of it, having asked %s while the Machine lived',
    async (_what, lived) => {
      const world = anOriginalWorld();
      for (const look of lived) await world.env.store.schedule(look);
      const message = 'still stopping';
      const retry = { kind: 'retry', afterSeconds: 45, message } as const;
      world.cloud.next('delete', () => retry);
      await walk(world);
      const cold = world.another();
      for (const seconds of [20, 30, 40, 54]) {
        world.time.now = after(seconds);
        expect(await sweep(cold, 'due')).toEqual([]);
      }
      world.time.now = after(55);
      expect(await sweep(cold, 'due')).toMatchObject([{ phase: 'infrastructure' }]);
      expect(world.cloud.asked).toEqual(['delete m-1']);
    },
  );

  test('that fails is asked again, ever later; the failure is told once', async () => {
    const world = anOriginalWorld();
    world.cloud.next('delete', fail, fail);
    const first = await walk(world);
    expect(first.told).toMatchObject([
      { kind: 'started' },
      { kind: 'failed', reason: 'InternalError', error: 'DeleteError: quota' },
    ]);
    expect(await dueAt(world)).toEqual([after(15)]);
    world.time.now = after(40);
    expect((await walk(world)).told).toEqual([]);
    expect(await dueAt(world)).toEqual([after(47)]);
    expect(await eventsIn(world)).toEqual([
      "Warning FailedDelete: error deleting Machine's instance: DeleteError: quota",
    ]);
    expect(hasNode(world)).toBe(true);
    expect(finalizers(world)).toEqual([foreground, finalizer]);
  });

  test.each(['InvalidConfiguration', undefined] as const)(
    'is never forgiven a failure, whatever its reason: %s',
    async (reason) => {
      const world = anOriginalWorld(aRawOriginal({ status: { nodeRef: undefined, addresses: [] } }));
      world.cloud.next('delete', () => ({ kind: 'failed', reason, message: 'no such image' }));
      expect((await walk(world)).phases).toEqual(['infrastructure']);
    },
  );

  test('that cannot be asked holds everything', async () => {
    const world = anOriginalWorld();
    world.cloud.next('delete', () => {
      throw new Unavailable('connection refused');
    });
    expect((await walk(world)).phases).toEqual(['infrastructure']);
    expect(await eventsIn(world)).toEqual([
      "Warning FailedDelete: error deleting Machine's instance: connection refused",
    ]);
  });
});

describe('the Node', () => {
  test('that is gone already is no hindrance', async () => {
    const world = anOriginalWorld();
    world.workload.drop('nodes/node-1');
    await walk(world);
    expect(finalizers(world)).toEqual([foreground]);
  });

  test('is left where nobody has the keys of its cluster', async () => {
    const world = anOriginalWorld();
    world.env.workloads = {
      of: () => Promise.reject(new NoCredentials('Secret default/c-kubeconfig does not exist')),
    };
    const { told } = await walk(world);
    expect(hasNode(world)).toBe(true);
    expect(finalizers(world)).toEqual([foreground]);
    expect(told).toContainEqual(
      expect.objectContaining({
        kind: 'advanced',
        as: 'not-applicable',
        message: 'the Node is left: Secret default/c-kubeconfig does not exist',
      }),
    );
  });

  test('is waited for where its cluster does not answer, and that is told', async () => {
    const world = anOriginalWorld();
    world.workload.on('get nodes/node-1', () => {
      throw new Unavailable('no route to host');
    });
    expect((await walk(world)).phases).toEqual(['infrastructure', 'node']);
    expect(await eventsIn(world)).toEqual([
      'Warning FailedDeleteNode: error deleting Machine\'s node "node-1": no route to host',
    ]);
    world.time.now = after(3_600);
    await walk(world);
    expect(hasNode(world)).toBe(false);
    expect(world.cloud.asked).toEqual(['delete m-1']);
  });

  test('of the last control plane Machine is kept', async () => {
    const world = anOriginalWorld(aRawOriginal({ spec: { versions: { controlPlane: '1.13.6' } } }));
    for (const name of ['cp-1', 'cp-2', 'cp-3']) world.management.drop(`machines/default/${name}`);
    expect((await walk(world)).phases).toEqual(['infrastructure', 'finalize']);
    expect(hasNode(world)).toBe(true);
    expect(world.cloud.servers).toEqual(new Set());
  });

  test('of the last but one, which counts although it is being deleted too, goes', async () => {
    const world = anOriginalWorld();
    for (const name of ['cp-2', 'cp-3']) world.management.drop(`machines/default/${name}`);
    world.management.change('machines/default/cp-1', {
      metadata: { deletionTimestamp: '2026-01-01T12:00:00Z' },
    });
    await walk(world);
    expect(hasNode(world)).toBe(false);
  });

  test('is not touched while the control plane cannot be counted', async () => {
    const world = anOriginalWorld();
    world.management.on('list machines', () => {
      throw new Unavailable('no answer');
    });
    await walk(world);
    expect(effects(world)).toEqual([]);
    const why = 'failed to check if Kubernetes Node deletion is allowed: no answer';
    expect(await eventsIn(world)).toEqual([`Warning FailedDelete: ${why}`]);
  });
});

describe('a Cluster that is missing', () => {
  test('holds the deletion of its Machines, and that is told once', async () => {
    const world = anOriginalWorld();
    world.management.drop('clusters/default/c');
    expect((await walk(world)).told).toMatchObject([{ kind: 'failed', reason: 'InternalError' }]);
    expect(await dueAt(world)).toEqual([after(15)]);
    world.time.now = after(60);
    expect((await walk(world)).told).toEqual([]);
    expect(await eventsIn(world)).toEqual([
      'Warning FailedDelete: Cluster default/c does not exist: its Machines cannot be deleted',
    ]);
    expect(world.cloud.asked).toEqual([]);
    expect(finalizers(world)).toEqual([foreground, finalizer]);
  });

  test('and comes again ends that', async () => {
    const world = anOriginalWorld();
    const cluster = world.management.at('clusters/default/c')!;
    world.management.drop('clusters/default/c');
    await walk(world);
    world.management.put('clusters', cluster);
    world.time.now = after(60);
    await walk(world);
    expect(finalizers(world)).toEqual([foreground]);
  });
});

describe('the Machine that phaseout runs on', () => {
  test('is kept, without even a checkpoint, and that is told once', async () => {
    const world = own();
    const before = world.management.at(machinePath);
    expect((await walk(world)).told).toMatchObject([{ kind: 'blocked', reason: 'RunsPhaseout' }]);
    world.time.now = after(90);
    expect((await walk(world)).told).toEqual([]);
    expect(await eventsIn(world)).toEqual([
      'Warning DeletionRefused: Machine m-1 is the one that phaseout runs on (Node node-1)',
    ]);
    expect(effects(world)).toEqual([]);
    expect(world.management.at(machinePath)).toEqual(before);
  });

  test('is looked at again now and then', async () => {
    const world = own();
    await walk(world);
    expect(await dueAt(world)).toEqual([after(70)]);
  });

  test('is told of by each instance, but by one Event', async () => {
    const world = own();
    await walk(world);
    await walk({ ...world, env: world.another() });
    expect(await eventsIn(world)).toHaveLength(1);
  });

  test('is nothing to guess: while the Node cannot be read nothing is done', async () => {
    const world = own();
    world.management.on('get nodes/node-1', () => {
      throw new Unavailable('no answer');
    });
    await walk(world);
    expect(effects(world)).toEqual([]);
    expect(await dueAt(world)).toEqual([after(15)]);
  });

  test.each<[string, () => OriginalWorld]>([
    ['whose Node is another one by now', () => own('node-uid-2')],
    [
      'whose Node is gone',
      () => {
        const world = own();
        world.management.drop('nodes/node-1');
        return world;
      },
    ],
    ['is not this one: another Node', () => anOriginalWorld(aRawOriginal(), { ownNode: 'node-2' })],
    ['is not known', () => anOriginalWorld()],
  ])('%s, is deleted', async (_what, given) => {
    const world = given();
    await walk(world);
    expect(finalizers(world)).toEqual([foreground]);
  });
});
