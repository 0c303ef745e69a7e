import { beforeEach, describe, expect, test } from 'vitest';
import { resourceUpdateSchema } from '../../../events/resource.ts';
import { infrastructure } from '../../../functions/infrastructure.ts';
import { intake } from '../../../functions/intake.ts';
import { sweep } from '../../../functions/sweep.ts';
import type { Existence } from '../../../shared/actuator/port.ts';
import { intakeEvent } from '../../../shared/intake/intake.ts';
import type { WriteOutcome } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { after } from '../../builders/cluster-api.ts';
import { aLivingOriginal, finalizer, foreground, withoutCluster } from '../../builders/v1alpha1.ts';
import { anOriginalWorld, eventsIn, type OriginalWorld } from '../../builders/v1alpha1-world.ts';
import { machinePath } from '../../builders/world.ts';

const deleted = { metadata: { deletionTimestamp: '2026-01-01T12:00:05Z' } };
const noAnswer = (): never => {
  throw new Unavailable('no answer');
};
const unavailable = (retryAfterSeconds: number) => (): never => {
  throw new Unavailable('answered 503: no upstream', { retryAfterSeconds });
};
const never = () => new Promise<never>(() => undefined);
const conflict = (): WriteOutcome => ({ kind: 'conflict', message: 'changed' });
/** As an event reports it. */
const told = (data: KubeObject): KubeObject =>
  resourceUpdateSchema.parse({
    specversion: '1.0',
    id: '1',
    source: 's',
    type: 'dev.knative.apiserver.resource.update',
    data,
  }).data;
const fail = (message: string) => () => ({ kind: 'failed', reason: undefined, message }) as const;

const living = (metadata: Record<string, unknown> = {}) => aLivingOriginal({ metadata });
const raw = ({ management }: OriginalWorld): KubeObject => management.at(machinePath)!;
const heard = (world: OriginalWorld) => intakeEvent(world.env, raw(world));
const dueIn = async ({ env }: OriginalWorld) =>
  (await env.store.due(after(100_000), 10)).map(({ at, failures }) => [(at - after(0)) / 1_000, failures]);

const ref = {
  apiVersion: 'cluster.k8s.io/v1alpha1',
  namespace: 'default',
  name: 'm-1',
  uid: 'uid-1',
};

let world: OriginalWorld;
beforeEach(() => {
  world = anOriginalWorld(living());
});

describe('a living Machine', () => {
  test('with a server has it updated', async () => {
    expect(await heard(world)).toBeUndefined();
    expect(world.log).toEqual(['exists m-1', 'update m-1']);
    expect(world.said).toEqual(['Updating instance']);
    expect(world.cloud.targets[1]).toMatchObject({
      machine: { metadata: { uid: 'uid-1', resourceVersion: '7' } },
      cluster: { metadata: { uid: 'cluster-uid' } },
    });
    expect(await dueIn(world)).toEqual([]);
  });

  test('waits for a step of the very Machine, and for none of another that has its name', async () => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    void world.env.machineQueue.run('m-1', 'drain', () => new Promise<never>(() => undefined));
    void world.env.machineQueue.run('uid-1', 'drain', () => over);
    const tended = heard(world);
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.cloud.asked).toEqual([]);
    end();
    await tended;
    expect(world.cloud.asked).toEqual(['exists m-1', 'update m-1']);
  });

  test('without a server gets one', async () => {
    world.cloud.servers.clear();
    await heard(world);
    expect(world.cloud.asked).toEqual(['exists m-1', 'create m-1']);
    expect(world.cloud.servers).toEqual(new Set(['uid-1']));
  });

  test('that goes while its finalizer is written is not told to the provider', async () => {
    world = anOriginalWorld(living({ finalizers: [] }));
    world.management.on(`patch ${machinePath}`, () => world.management.drop(machinePath));
    expect(await heard(world)).toBeUndefined();
    expect(world.cloud.asked).toEqual([]);
  });

  test('without a cluster is told to the provider without one', async () => {
    world = anOriginalWorld(living({ ...withoutCluster, finalizers: [finalizer] }));
    await heard(world);
    expect(world.cloud.targets.map(({ cluster }) => cluster)).toEqual([undefined, undefined]);
    expect(world.management.reads).toEqual([`get ${machinePath}`]);
  });
});

describe('finalizers', () => {
  test('come before the server, with the Cluster as owner, in one write', async () => {
    world = anOriginalWorld(living({ finalizers: ['example.com/other'] }));
    world.cloud.servers.clear();
    await heard(world);
    expect(world.log).toEqual([`patch ${machinePath}`, 'exists m-1', 'create m-1', 'schedule']);
    expect(world.management.patches[0]?.patch).toEqual({
      metadata: {
        resourceVersion: '7',
        uid: 'uid-1',
        finalizers: ['example.com/other', foreground, finalizer],
        ownerReferences: [
          {
            apiVersion: 'cluster.k8s.io/v1alpha1',
            kind: 'Cluster',
            name: 'c',
            uid: 'cluster-uid',
            blockOwnerDeletion: true,
          },
        ],
      },
    });
    expect(world.cloud.targets[0]?.machine.metadata.finalizers).toContain(finalizer);
  });

  test('leave the Machine its other owners', async () => {
    const pool = { apiVersion: 'example.com/v1', kind: 'Pool', name: 'p', uid: 'pool-uid', controller: true };
    world = anOriginalWorld(living({ finalizers: [], ownerReferences: [pool] }));
    await heard(world);
    expect(raw(world).metadata.ownerReferences).toMatchObject([pool, { kind: 'Cluster' }]);
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ['ours alone without a cluster', { ...withoutCluster, finalizers: [] }, [finalizer]],
    ['only what is missing', { finalizers: [finalizer] }, [finalizer, foreground]],
  ])('are %s', async (_what, metadata, expected) => {
    world = anOriginalWorld(living(metadata));
    await heard(world);
    expect(raw(world).metadata.finalizers).toEqual(expected);
  });

  test('come without an owner where a MachineSet is one', async () => {
    const set = { apiVersion: 'cluster.k8s.io/v1alpha1', kind: 'MachineSet', name: 's', uid: 's-1' };
    world = anOriginalWorld(living({ finalizers: [], ownerReferences: [set] }));
    await heard(world);
    expect(raw(world).metadata.ownerReferences).toEqual([set]);
  });

  test('that are all there are no reason to write an owner', async () => {
    await heard(world);
    expect(raw(world).metadata.ownerReferences).toBeUndefined();
  });

  test('that cannot be written leave the provider alone', async () => {
    world = anOriginalWorld(living({ finalizers: [] }));
    world.management.on(`patch ${machinePath}`, () => ({ kind: 'refused', code: 403, message: 'forbidden' }));
    await heard(world);
    expect(world.cloud.asked).toEqual([]);
    expect(await dueIn(world)).toEqual([[15, 1]]);
    expect(await eventsIn(world)).toEqual([
      'Warning ReconcileError: error reconciling Machine: the finalizer could not be added: forbidden',
    ]);
  });
});

describe('what the provider reports', () => {
  const report = {
    providerID: 'x://new',
    addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
    providerStatus: { id: 5, ready: true },
  };

  test('is written to the Machine', async () => {
    world.cloud.report = report;
    await heard(world);
    expect(raw(world)).toMatchObject({
      spec: { providerID: 'x://new', versions: { kubelet: '1.13.6' } },
      status: {
        nodeRef: { name: 'node-1' },
        addresses: report.addresses,
        providerStatus: { id: 5, ready: true },
      },
    });
    expect(world.management.patches).toMatchObject([
      { path: machinePath, patch: { metadata: { resourceVersion: '7', uid: 'uid-1' } } },
      { path: `${machinePath}/status`, patch: { metadata: { uid: 'uid-1' } } },
    ]);
  });

  test('of a new server too, and what it has to tell later', async () => {
    world.cloud.servers.clear();
    world.cloud.report = { providerID: 'x://new' };
    await heard(world);
    expect(raw(world)).toMatchObject({ spec: { providerID: 'x://new' } });
    expect(await dueIn(world)).toEqual([[15, 0]]);

    world.cloud.next('exists', () => ({ kind: 'exists', retryAfterSeconds: 30 }));
    world.time.now = after(15);
    await sweep(world.env, 'due');
    expect(await dueIn(world)).toEqual([[45, 0]]);

    world.cloud.report = { addresses: report.addresses };
    world.time.now = after(45);
    await sweep(world.env, 'due');
    expect(raw(world)).toMatchObject({ status: { addresses: report.addresses } });
    expect(await dueIn(world)).toEqual([]);
  });

  test('is written once: the events of these writes lead to no more of them', async () => {
    world.cloud.report = report;
    await heard(world);
    const writes = world.management.patches.length;
    const other = world.another();
    await intake(other, raw(world));
    await intake(world.env, raw(world));
    expect(world.management.patches).toHaveLength(writes);
    expect(world.cloud.asked).toEqual(['exists m-1', 'update m-1', 'exists m-1', 'update m-1']);
  });

  test.each<[when: string, retryAfterSeconds: number | undefined]>([
    ['it is all that there is to report', undefined],
    ['there is more to report later', 30],
  ])('and is another each time sets instances off once each, where %s', async (_when, retryAfterSeconds) => {
    let time = 0;
    const tell = () => {
      world.cloud.report = { providerStatus: { lastProbeTime: (time += 1) } };
      return { kind: 'exists', ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) } as const;
    };
    world.cloud.next('exists', ...Array.from({ length: 20 }, () => tell));
    const all = [world.env, world.another(), world.another()];
    for (const env of [...all, ...all, ...all]) await intake(env, raw(world));
    expect(world.cloud.asked.filter((line) => line.startsWith('update'))).toHaveLength(3);
    expect(world.management.patches).toHaveLength(3);
  });

  test('and is another each time is not set off by events either, which tell of owners in another order of fields', async () => {
    const owner = {
      apiVersion: 'cluster.k8s.io/v1alpha1',
      blockOwnerDeletion: true,
      controller: true,
      kind: 'MachineSet',
      name: 's',
      uid: 's-1',
    };
    world = anOriginalWorld(living({ ownerReferences: [owner] }));
    let time = 0;
    const tell = (): Existence => {
      world.cloud.report = { providerStatus: { lastProbeTime: (time += 1) } };
      return { kind: 'exists' };
    };
    world.cloud.next('exists', ...Array.from({ length: 20 }, () => tell));
    const all = [world.env, world.another()];
    for (const env of [...all, ...all, ...all]) await intake(env, told(raw(world)));
    expect(world.cloud.asked.filter((line) => line.startsWith('update'))).toHaveLength(2);
  });

  test('does not keep what is said of its deletion from being heard', async () => {
    await heard(world);
    world.management.change(machinePath, deleted);
    expect((await intake(world.env, raw(world))).next).toMatchObject({ phase: 'infrastructure' });
  });

  test('is not written where it has the same addresses in another order', async () => {
    const [one, other] = ['10.0.0.1', '10.0.0.2'].map((address) => ({ type: 'InternalIP', address }));
    world.management.change(machinePath, { status: { addresses: [one, other] } });
    world.cloud.report = { addresses: [other!, one!] };
    await heard(world);
    expect(world.management.patches).toEqual([]);
  });

  test.each<[what: string, known: unknown, reported: { type: string; address: string }[]]>([
    ['another address', [{ type: 'InternalIP', address: '1' }], [{ type: 'InternalIP', address: '2' }]],
    ['another type', [{ type: 'InternalIP', address: '1' }], [{ type: 'ExternalIP', address: '1' }]],
    ['one more', [{ type: 'A', address: '1' }], ['1', '2'].map((address) => ({ type: 'A', address }))],
    ['none', [{ type: 'A', address: '1' }], []],
    ['none where nobody has said so', undefined, []],
  ])('is written where there is %s', async (_what, addresses, reported) => {
    world.management.change(machinePath, { status: { addresses } });
    world.cloud.report = { addresses: reported };
    await heard(world);
    expect(raw(world)).toMatchObject({ status: { addresses: reported } });
  });

  test('is written only where it differs', async () => {
    world.cloud.report = { ...report, providerID: 'x://m-1' };
    world.management.change(machinePath, { status: { addresses: report.addresses } });
    await heard(world);
    expect(world.management.patches).toMatchObject([
      { path: `${machinePath}/status`, patch: { status: { providerStatus: { id: 5, ready: true } } } },
    ]);
  });

  test('takes away from the provider status what is no longer in it', async () => {
    world.management.change(machinePath, { status: { providerStatus: { id: 5, task: 'booting' } } });
    world.cloud.report = { providerStatus: { id: 5 } };
    await heard(world);
    expect(world.management.patches).toMatchObject([
      { patch: { status: { providerStatus: { task: null } } } },
    ]);
  });

  test('is written although somebody else has written meanwhile', async () => {
    world.cloud.report = { providerID: 'x://new' };
    world.cloud.next('update', () =>
      world.management.change(machinePath, { metadata: { labels: { a: 'b' } } }),
    );
    await heard(world);
    expect(raw(world)).toMatchObject({ metadata: { labels: { a: 'b' } }, spec: { providerID: 'x://new' } });
  });

  test('of a new server is written at once, also where the Machine has changed while it was made', async () => {
    world.cloud.servers.clear();
    world.cloud.report = { providerID: 'x://new' };
    world.cloud.next('create', () =>
      world.management.change(machinePath, { metadata: { labels: { a: 'b' } } }),
    );
    await heard(world);
    expect(world.management.patches).toHaveLength(1);
    expect(raw(world)).toMatchObject({ metadata: { labels: { a: 'b' } }, spec: { providerID: 'x://new' } });
  });

  test('is of no use to a Machine that goes while it is written', async () => {
    world.cloud.report = report;
    world.cloud.next('exists', () => ({ kind: 'exists', retryAfterSeconds: 30 }));
    world.management.on(`patch ${machinePath}`, () => world.management.drop(machinePath));
    expect(await heard(world)).toBeUndefined();
    expect(world.management.patches.map(({ path }) => path)).toEqual([machinePath]);
    expect(await dueIn(world)).toEqual([]);
  });

  test('is tried again where the Machine keeps changing', async () => {
    world.cloud.report = { providerID: 'x://new' };
    world.management.on(`patch ${machinePath}`, conflict, 3);
    await heard(world);
    expect(await dueIn(world)).toEqual([[15, 1]]);
    expect(await eventsIn(world)).toEqual([
      "Warning FailedUpdate: error updating Machine's instance: Machine default/m-1 kept changing while what the provider reports was to be written",
    ]);
  });
});

describe('a provider', () => {
  test.each<['exists' | 'create' | 'update']>([['exists'], ['create'], ['update']])(
    'that asks for time is asked again after it, without an Event: %s',
    async (operation) => {
      if (operation === 'create') world.cloud.servers.clear();
      world.cloud.next(operation, () => ({ kind: 'retry', afterSeconds: 42, message: 'busy' }));
      await heard(world);
      expect(await dueIn(world)).toEqual([[52, 0]]);
      expect(await eventsIn(world)).toEqual([]);
      world.time.now = after(52);
      await sweep(world.env, 'due');
      expect(world.cloud.asked.slice(-2)).toEqual([
        'exists m-1',
        `${operation === 'create' ? 'create' : 'update'} m-1`,
      ]);
      expect(await dueIn(world)).toEqual(operation === 'create' ? [[57, 0]] : []);
    },
  );

  test.each<['exists' | 'create' | 'update']>([['exists'], ['create'], ['update']])(
    'that something in between keeps from answering is left alone for as long as that asks for: %s',
    async (operation) => {
      if (operation === 'create') world.cloud.servers.clear();
      world.cloud.next(operation, () => {
        throw new Unavailable('answered 503: no upstream', { retryAfterSeconds: 120 });
      });
      await heard(world);
      expect(await dueIn(world)).toEqual([[130, 1]]);
    },
  );

  test('that asks for time is left alone until then also where it was to be asked sooner', async () => {
    world.cloud.next('exists', noAnswer, () => ({ kind: 'retry', afterSeconds: 60, message: 'busy' }));
    await heard(world);
    await heard(world);
    expect(await dueIn(world)).toEqual([[70, 0]]);
  });

  test('that asks for time about a Machine that is being deleted by then takes no look at that back', async () => {
    world.cloud.next('exists', () => {
      world.management.change(machinePath, deleted);
      // Another instance has begun with it.
      void world.env.store.schedule({ machine: ref, at: after(30), failures: 0 });
      return { kind: 'retry', afterSeconds: 3_600, message: 'busy' };
    });
    expect(await heard(world)).toMatchObject({ machine: { uid: 'uid-1' }, phase: 'infrastructure' });
    expect(await dueIn(world)).toEqual([[30, 0]]);
  });

  test('that asks for time is asked when it was to be asked before while nobody knows whether the Machine lives', async () => {
    world.cloud.next('exists', noAnswer, () => ({ kind: 'retry', afterSeconds: 60, message: 'busy' }));
    await heard(world);
    world.management.on(`get ${machinePath}`, noAnswer);
    await heard(world);
    expect(await dueIn(world)).toEqual([[15, 1]]);
  });

  test('that fails is asked again when it was to be asked before', async () => {
    world.cloud.next('exists', noAnswer, noAnswer);
    await heard(world);
    await heard(world);
    expect(await dueIn(world)).toEqual([[15, 1]]);
  });

  test.each<[string, () => Existence]>([
    ['cannot say whether there is a server', fail('no region')],
    ['does not answer', noAnswer],
  ])('that %s is asked neither to create nor to update', async (_what, answer) => {
    world.cloud.servers.clear();
    world.cloud.next('exists', answer);
    await heard(world);
    expect(world.cloud.asked).toEqual(['exists m-1']);
    expect(await dueIn(world)).toEqual([[15, 1]]);
  });

  test.each<[string, () => Existence, [number, number]]>([
    ['asks for time', () => ({ kind: 'retry', afterSeconds: 3_600, message: 'busy' }), [3_610, 0]],
    ['cannot be asked, where something in between asks for time', unavailable(120), [130, 1]],
  ])(
    'that %s is left alone until then, whoever hears of the Machine or lists it',
    async (_what, answer, due) => {
      world = anOriginalWorld(living({ finalizers: [] }));
      world.cloud.next('exists', answer);
      await heard(world);
      expect(await dueIn(world)).toEqual([due]);
      world.cloud.asked.length = 0;
      world.time.now = after(due[0]) - 1;
      world.management.change(machinePath, { status: { nodeRef: { name: 'node-1' } } });
      await intake(world.env, raw(world));
      await sweep(world.env, 'all');
      expect(world.cloud.asked).not.toContain('exists m-1');
      expect(await dueIn(world)).toContainEqual(due);
      world.time.now = after(due[0]);
      await world.env.store.unschedule('uid-1');
      await sweep(world.env, 'all');
      expect(world.cloud.asked).toContain('update m-1');
    },
  );

  test.each<[string, number, boolean]>([
    ['not within ten minutes', 599, false],
    ['after ten minutes', 600, true],
  ])(
    'that something in between keeps from answering for a day is asked by the sweep %s',
    async (_when, seconds, isAsked) => {
      world.cloud.next('exists', () => {
        throw new Unavailable('answered 503: no upstream', { retryAfterSeconds: 86_400 });
      });
      await heard(world);
      world.cloud.asked.length = 0;
      world.time.now += seconds * 1_000;
      await sweep(world.env, 'all');
      expect(world.cloud.asked.includes('update m-1')).toBe(isAsked);
    },
  );

  test('that fails is asked ever later also where the sweep of all comes in between', async () => {
    world.cloud.next('exists', ...Array.from({ length: 20 }, () => noAnswer));
    const due = async () => {
      const looks = await world.env.store.due(after(1_000), 10);
      const own = looks.find(({ machine }) => machine.uid === 'uid-1');
      return own && [(own.at - after(0)) / 1_000, own.failures];
    };
    const dueAfter = async (which: 'due' | 'all', seconds: number) => {
      world.time.now = after(seconds);
      await sweep(world.env, which);
      return due();
    };
    await heard(world);
    expect(await dueAfter('due', 15)).toEqual([25, 2]);
    expect(await dueAfter('all', 20)).toEqual([25, 2]);
    expect(await dueAfter('due', 25)).toEqual([65, 4]);
    world.management.change(machinePath, { metadata: { labels: { a: 'b' } } });
    await intake(world.env, raw(world));
    expect(await due()).toEqual([30, 1]);
  });

  test('that fails is asked at once about a Machine that somebody has changed', async () => {
    world.cloud.next('update', fail('no quota'));
    await heard(world);
    world.cloud.asked.length = 0;
    world.management.change(machinePath, { metadata: { labels: { a: 'b' } } });
    await intake(world.env, raw(world));
    expect(world.cloud.asked).toEqual(['exists m-1', 'update m-1']);
  });

  test('that fails is asked at once about a Machine that was changed while it was asked', async () => {
    world.cloud.servers.clear();
    world.cloud.next('create', () => {
      world.management.change(machinePath, { metadata: { labels: { a: 'b' } } });
      return fail('no quota')();
    });
    await heard(world);
    world.cloud.asked.length = 0;
    await intake(world.env, raw(world));
    expect(world.cloud.asked).toEqual(['exists m-1', 'create m-1']);
  });

  test('that fails is asked again, ever later, and told of once for each text', async () => {
    world.cloud.servers.clear();
    world.cloud.next('create', fail('no quota'), fail('no quota'), noAnswer);
    await heard(world);
    expect(await dueIn(world)).toEqual([[15, 1]]);
    world.time.now = after(15);
    await sweep(world.env, 'due');
    expect(await dueIn(world)).toEqual([[25, 2]]);
    world.time.now = after(25);
    await sweep(world.env, 'due');
    expect(await dueIn(world)).toEqual([[45, 3]]);
    expect(await eventsIn(world)).toEqual([
      "Warning FailedCreate: error creating Machine's instance: no quota",
      "Warning FailedCreate: error creating Machine's instance: no answer",
    ]);
    expect(world.log.filter((line) => line.startsWith('create events'))).toHaveLength(2);
    world.time.now = after(45);
    await sweep(world.env, 'due');
    expect(world.cloud.servers).toEqual(new Set(['uid-1']));
    expect(await dueIn(world)).toEqual([[50, 0]]);
  });

  test('that fails is told of again when the Event could not be written', async () => {
    world.cloud.servers.clear();
    world.cloud.next('create', fail('no quota'), fail('no quota'));
    world.management.on('create events', noAnswer);
    await heard(world);
    expect(await eventsIn(world)).toEqual([]);
    world.time.now = after(15);
    await sweep(world.env, 'due');
    expect(await eventsIn(world)).toEqual([
      "Warning FailedCreate: error creating Machine's instance: no quota",
    ]);
  });

  test.each<[string, (world: OriginalWorld) => void]>([
    ['is gone', ({ management }) => management.drop(machinePath)],
    ['is being deleted', ({ management }) => management.change(machinePath, deleted)],
  ])('that %s is not told of where an old event says that it lives', async (_what, change) => {
    const old = raw(world);
    change(world);
    world.cloud.next('exists', noAnswer);
    await intakeEvent(world.env, old);
    expect(world.cloud.asked).toEqual(['exists m-1']);
    expect(await eventsIn(world)).toEqual([]);
  });

  test('is told of where nobody can read whether it is gone', async () => {
    world.cloud.next('exists', noAnswer);
    world.management.on(`get ${machinePath}`, noAnswer);
    await heard(world);
    expect(await eventsIn(world)).toEqual(['Warning ReconcileError: error reconciling Machine: no answer']);
  });

  test('whose failure another instance has told of makes no second Event', async () => {
    world.cloud.next('update', fail('no quota'), fail('no quota'));
    await heard(world);
    await intakeEvent(world.another(), raw(world));
    expect(await eventsIn(world)).toHaveLength(1);
  });
});

describe('a Cluster that is missing', () => {
  test('leaves its Machines as they are; that is told, and tried again', async () => {
    world = anOriginalWorld(living({ finalizers: [] }));
    world.management.drop('clusters/default/c');
    await heard(world);
    expect(world.management.patches).toEqual([]);
    expect(world.cloud.asked).toEqual([]);
    expect(await dueIn(world)).toEqual([[15, 1]]);
    expect(await eventsIn(world)).toEqual([
      'Warning ReconcileError: error reconciling Machine: Cluster default/c does not exist: its Machines are left as they are',
    ]);
  });
});

test('an error that differs from the last one in numbers and IDs alone is told once', async () => {
  for (const id of ['0b7f1c9e', 'c1d2e3f4', 'a0b1c2d3']) {
    const message = `Unavailable, RequestID ${id}`;
    world.cloud.next('update', () => ({ kind: 'failed', reason: undefined, message }));
    await heard(world);
  }
  const creates = world.log.filter((line) => line.startsWith('create events'));
  expect(creates).toHaveLength(1);
});

describe('two events of one Machine', () => {
  test('are taken in one after the other', async () => {
    const steps: string[] = [];
    world.cloud.next(
      'update',
      async () => {
        steps.push('begin');
        await new Promise((resolve) => setImmediate(resolve));
        steps.push('end');
      },
      () => void steps.push('second'),
    );
    await Promise.all([intake(world.env, raw(world)), intake(world.env, raw(world))]);
    expect(steps).toEqual(['begin', 'end', 'second']);
  });

  test('of which the newer one is news: what was known before is not what the provider is told', async () => {
    world.env.cache.rememberMachine(living({ resourceVersion: '6' }));
    await heard(world);
    expect(world.cloud.targets[0]?.machine.metadata.resourceVersion).toBe('7');
  });

  test('of which the later one was overtaken by a write of ours: the Machine as written is what the provider is told', async () => {
    world.cloud.report = { providerID: 'x://new' };
    const older = raw(world);
    await Promise.all([intakeEvent(world.env, older), intakeEvent(world.env, older)]);
    expect(world.cloud.targets.at(-1)?.machine).toMatchObject({ spec: { providerID: 'x://new' } });
  });
});

describe('a Machine whose deletion begins', () => {
  beforeEach(() => {
    world.cloud.servers.clear();
  });

  test('while its server is being made loses nothing: the delete comes after the create', async () => {
    world.cloud.report = { providerID: 'x://new' };
    let deletion: Promise<unknown> = Promise.resolve();
    world.cloud.next('create', () => {
      world.management.change(machinePath, deleted);
      deletion = intake(world.env, raw(world)).then(({ next }) =>
        reconcilePhase(world.env, infrastructure, next!),
      );
    });
    expect(await heard(world)).toMatchObject({ phase: 'infrastructure', seq: 0 });
    await deletion;
    expect(world.cloud.asked).toEqual(['exists m-1', 'create m-1', 'delete m-1', 'delete m-1']);
    expect(world.cloud.targets[2]?.machine).toMatchObject(deleted);
    expect(world.cloud.servers).toEqual(new Set());
  });

  test('before anything was asked is looked at, even if its Cluster is missing by now', async () => {
    const older = raw(world);
    world.management.change(machinePath, deleted);
    world.env.cache.rememberMachine(raw(world));
    world.management.drop('clusters/default/c');
    expect(await intakeEvent(world.env, older)).toMatchObject({ phase: 'infrastructure' });
    expect(await dueIn(world)).toEqual([]);
  });

  test('before the report is written is not to be kept in step any more', async () => {
    world.cloud.report = { providerID: 'x://new' };
    world.cloud.next('exists', () => ({ kind: 'exists', retryAfterSeconds: 30 }));
    world.cloud.next('update', () => world.management.change(machinePath, deleted));
    expect(await heard(world)).toMatchObject({ phase: 'infrastructure' });
    expect(raw(world)).toMatchObject({ spec: { providerID: 'x://m-1' } });
    expect(await dueIn(world)).toEqual([]);
  });

  test('before its server is made gets none, even if an old event said that it lives', async () => {
    const older = raw(world);
    world.management.change(machinePath, deleted);
    expect(await intakeEvent(world.env, older)).toMatchObject({ phase: 'infrastructure' });
    expect(world.cloud.asked).toEqual(['exists m-1']);
  });

  test('before its server is updated has it left alone, even if an old event said that it lives', async () => {
    world.cloud.servers.add('uid-1');
    const older = raw(world);
    world.management.change(machinePath, deleted);
    expect(await intakeEvent(world.env, older)).toMatchObject({ phase: 'infrastructure' });
    expect(world.cloud.asked).toEqual(['exists m-1']);
  });

  test('and ends while its server is being made: what was made is removed', async () => {
    world.cloud.next('create', () => world.management.drop(machinePath));
    expect(await heard(world)).toBeUndefined();
    expect(world.cloud.asked).toEqual(['exists m-1', 'create m-1', 'delete m-1']);
    expect(world.cloud.servers).toEqual(new Set());
  });

  test('is not gone because one read does not find it: its server stays', async () => {
    const there = raw(world);
    world.cloud.next('create', () => {
      world.management.on(`get ${machinePath}`, () => world.management.drop(machinePath));
      world.management.on('list machines', () => void world.management.put('machines', there));
    });
    expect(await heard(world)).toBeUndefined();
    expect(world.cloud.asked).toEqual(['exists m-1', 'create m-1']);
    expect(world.said).toEqual(['Creating instance', 'Machine could not be kept in step']);
    expect(await eventsIn(world)).toEqual([
      "Warning FailedCreate: error creating Machine's instance: Machine default/m-1 was not found although it is there",
    ]);
    expect(await dueIn(world)).toHaveLength(1);
  });

  test('and ends while its server is being made, without an answer: what may have been made is removed', async () => {
    world.cloud.next('create', () => {
      world.management.drop(machinePath);
      world.cloud.servers.add('uid-1');
      return noAnswer();
    });
    expect(await heard(world)).toBeUndefined();
    expect(world.cloud.asked).toEqual(['exists m-1', 'create m-1', 'delete m-1']);
    expect(world.cloud.servers).toEqual(new Set());
    expect(await dueIn(world)).toEqual([]);
  });

  test('and whose name was taken again is not its successor', async () => {
    const older = raw(world);
    world.management.put('machines', living({ uid: 'uid-2' }));
    await intakeEvent(world.env, older);
    expect(world.cloud.asked).toEqual(['exists m-1']);
  });

  test('before its finalizers were written gets none', async () => {
    const older = living({ finalizers: [] });
    world.management.change(machinePath, {
      metadata: { finalizers: ['example.com/other'], ...deleted.metadata },
    });
    expect(await intakeEvent(world.env, older)).toBeUndefined();
    expect(world.cloud.asked).toEqual([]);
    expect(raw(world).metadata.finalizers).toEqual(['example.com/other']);
  });

  test('and is known to be gone is left alone', async () => {
    world.env.cache.rememberGone('uid-1');
    await heard(world);
    expect(world.cloud.asked).toEqual([]);
  });
});

describe('the sweep of all', () => {
  test('keeps every living Machine in step', async () => {
    expect(await sweep(world.env, 'all')).toEqual([]);
    expect(world.cloud.asked.filter((line) => line.startsWith('update'))).toEqual(['update m-1']);
    expect(world.cloud.asked.filter((line) => line.startsWith('create'))).toEqual([
      'create cp-1',
      'create cp-2',
      'create cp-3',
    ]);
  });

  test.each<[when: string, seconds: number, change: object | undefined, asked: number]>([
    ['not within ten minutes of the last time', 599, undefined, 0],
    ['again after ten minutes', 600, undefined, 2],
    ['again when somebody has changed it', 1, { metadata: { labels: { a: 'b' } } }, 2],
  ])('asks about a Machine that is in step %s', async (_when, seconds, change, asked) => {
    await heard(world);
    world.cloud.asked.length = 0;
    world.time.now += seconds * 1_000;
    if (change !== undefined) world.management.change(machinePath, change);
    await sweep(world.env, 'all');
    expect(world.cloud.asked.filter((line) => line.endsWith(' m-1'))).toHaveLength(asked);
  });

  test('does not ask again because of what was just written', async () => {
    world.cloud.report = { providerID: 'x://new' };
    await heard(world);
    world.cloud.asked.length = 0;
    await sweep(world.env, 'all');
    expect(world.cloud.asked).not.toContain('exists m-1');
  });

  test('asks again about one that has changed while its provider was asked', async () => {
    world.cloud.report = { providerID: 'x://new' };
    world.cloud.next('update', () =>
      world.management.change(machinePath, { metadata: { labels: { a: 'b' } } }),
    );
    await heard(world);
    world.cloud.asked.length = 0;
    await sweep(world.env, 'all');
    expect(world.cloud.asked).toContain('update m-1');
  });

  test('asks again about one that has changed while its provider asked for time to make its server', async () => {
    world.cloud.servers.clear();
    world.cloud.next('create', () => {
      world.management.change(machinePath, { metadata: { labels: { a: 'b' } } });
      return { kind: 'retry', afterSeconds: 60, message: 'busy' };
    });
    await heard(world);
    world.cloud.asked.length = 0;
    await sweep(world.env, 'all');
    expect(world.cloud.asked).toContain('exists m-1');
  });

  test('asks again about one that was in step, and could not be kept so', async () => {
    await heard(world);
    world.cloud.next('update', fail('busy'));
    await heard(world);
    world.cloud.asked.length = 0;
    await sweep(world.env, 'all');
    expect(world.cloud.asked).toContain('update m-1');
  });

  test('asks again about those whose servers were just made: the store may have lost when they are due', async () => {
    await sweep(world.env, 'all');
    world.cloud.asked.length = 0;
    await sweep(world.env, 'all');
    expect(world.cloud.asked.filter((line) => line.startsWith('update'))).toEqual([
      'update cp-1',
      'update cp-2',
      'update cp-3',
    ]);
  });

  test('asks again about one that could not be kept in step', async () => {
    world.cloud.next('update', fail('busy'));
    await heard(world);
    world.cloud.asked.length = 0;
    await sweep(world.env, 'all');
    expect(world.cloud.asked).toContain('update m-1');
  });

  test('waits for a slow provider 20 seconds, and then hands on the deletions without it', async () => {
    world.management.change(machinePath, deleted);
    const limits: number[] = [];
    const after20Seconds = (milliseconds: number, run: () => void) => {
      limits.push(milliseconds);
      run();
      return () => undefined;
    };
    world.env.clock = { ...world.env.clock, after: after20Seconds };
    world.cloud.next('exists', never, never, never);
    expect(await sweep(world.env, 'all')).toMatchObject([{ phase: 'infrastructure' }]);
    // The provider, and then the look that is set.
    expect(limits).toEqual([20_000, 10_000]);
    expect(world.cloud.asked).toEqual(['exists cp-1', 'exists cp-2', 'exists cp-3']);
  });

  test('leaves the provider alone when it stands in for a store that does not answer', async () => {
    world.management.change(machinePath, deleted);
    world.env.store = { ...world.env.store, due: async () => [], isAvailable: () => false };
    expect(await sweep(world.env, 'due')).toMatchObject([{ phase: 'infrastructure' }]);
    expect(world.cloud.asked).toEqual([]);
  });
});

test.each(['exists', 'create'] as const)('a mistake of ours is thrown: %s', async (operation) => {
  world.cloud.servers.clear();
  world.cloud.next(operation, () => {
    throw new TypeError('undefined is not a function');
  });
  await expect(heard(world)).rejects.toThrow(TypeError);
});
