import { beforeEach, describe, expect, test } from 'vitest';
import { recordAt } from '../../../shared/dialects/fields.ts';
import { openShift } from '../../../shared/dialects/openshift/index.ts';
import type { WorkloadCluster } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { nodes } from '../../../shared/kubernetes/resources.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { cordon } from '../../../shared/reconcile/cordon.ts';
import type { Environment } from '../../../shared/runtime/environment.ts';
import { aNode, aSubject } from '../../builders/subject.ts';
import { aWorld, type World } from '../../builders/world.ts';
import { aCaller, type Caller, schedules } from './one-call-at-a-time.ts';

const leasePath = 'leases/default/phaseout-control-plane-cordon';
const notPermitted = 'drain not permitted: requeue in: 20s';
const controlPlane = { 'node-role.kubernetes.io/control-plane': '' };
const master = { 'node-role.kubernetes.io/master': '' };

let world: World;

beforeEach(() => {
  world = aWorld();
  for (const [name, labels] of [
    ['cp-1', controlPlane],
    ['cp-2', master],
    ['cp-3', controlPlane],
  ] as const)
    putNode(name, labels);
});

function putNode(name: string, labels: Record<string, string>, unschedulable = false): void {
  const node = aNode({ name, uid: `uid-${name}`, unschedulable });
  world.workload.put('nodes', { ...node, metadata: { ...node.metadata, labels } });
}

const isCordoned = (name: string): boolean =>
  recordAt(world.workload.at(`nodes/${name}`), 'spec')['unschedulable'] === true;
const cordoned = () => ['cp-1', 'cp-2', 'cp-3'].filter(isCordoned);
const lease = () => world.workload.at(leasePath);

/** Cordons the Node; answers with the outcome. */
async function tried(name: string, api: WorkloadCluster = world.workload, env: Environment = world.env) {
  const subject = aSubject({ dialect: openShift });
  const effect = {
    kind: 'cordon',
    node: name,
    uid: `uid-${name}`,
    exclusive: { namespace: 'default' },
  } as const;
  const performance = { env, subject, snapshot: openSnapshot(env, subject), workload: async () => api };
  try {
    await cordon(effect, performance);
    return 'cordoned';
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return error.message;
  }
}

describe('a cordon that must be alone', () => {
  test('is made under a Lease, which is gone afterwards', async () => {
    expect(await tried('cp-1')).toBe('cordoned');
    expect(world.log).toEqual([`create ${leasePath}`, 'patch nodes/cp-1', `delete ${leasePath}`]);
    expect(cordoned()).toEqual(['cp-1']);
  });

  test('is over when its Lease was given back, however long that takes', async () => {
    const remove = world.workload.delete.bind(world.workload);
    world.workload.delete = async (...which) => {
      for (let turn = 0; turn < 9; turn += 1) await Promise.resolve();
      return remove(...which);
    };
    expect(await tried('cp-1')).toBe('cordoned');
    expect(lease()).toBeUndefined();
  });

  test('is made under a Lease that says whose it is, and until when', async () => {
    const { api, step } = aCaller(world.workload);
    void tried('cp-1', api);
    await step();
    expect(lease()).toMatchObject({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      spec: {
        holderIdentity: 'test/m-1',
        leaseDurationSeconds: 60,
        acquireTime: '2026-01-01T12:00:10.000000Z',
        renewTime: '2026-01-01T12:00:10.000000Z',
      },
    });
  });

  test.each(['cp-2', 'cp-3'])('is not made while %s is cordoned, whatever was seen before', async (other) => {
    world.workload.change(`nodes/${other}`, { spec: { unschedulable: true } });
    expect(await tried('cp-1')).toBe(notPermitted);
    expect(cordoned()).toEqual([other]);
    expect(lease()).toBeUndefined();
  });

  test('does not mind cordoned workers', async () => {
    putNode('worker', {}, true);
    expect(await tried('cp-1')).toBe('cordoned');
  });

  test('does not wait for the very Node that it is about, should somebody have cordoned it meanwhile', async () => {
    world.workload.change('nodes/cp-1', { spec: { unschedulable: true } });
    expect(await tried('cp-1')).toBe('cordoned');
  });

  test('is not made while somebody else is at it', async () => {
    const { api, step } = aCaller(world.workload);
    void tried('cp-2', api);
    await step();
    expect(await tried('cp-1')).toBe(notPermitted);
    expect(lease()).toBeDefined();
    expect(cordoned()).toEqual([]);
  });

  test('is noted as the answer of the look', async () => {
    const subject = aSubject({ dialect: openShift });
    const snapshot = openSnapshot(world.env, subject);
    const effect = {
      kind: 'cordon',
      node: 'cp-1',
      uid: 'uid-cp-1',
      exclusive: { namespace: 'default' },
    } as const;
    await cordon(effect, { env: world.env, subject, snapshot, workload: async () => world.workload });
    const reads = world.workload.reads.length;
    expect(await snapshot.get('workload', nodes, { name: 'cp-1' })).toMatchObject({
      spec: { unschedulable: true },
    });
    expect(world.workload.reads).toHaveLength(reads);
  });

  test('of a Node that changed hands fails, and leaves no Lease', async () => {
    world.workload.drop('nodes/cp-1');
    world.workload.put('nodes', aNode({ name: 'cp-1', uid: 'uid-new', unschedulable: false }));
    expect(await tried('cp-1')).toContain('failed to cordon Node cp-1: uid');
    expect(lease()).toBeUndefined();
  });

  test('whose others cannot be looked at is not made, and leaves no Lease', async () => {
    world.workload.on('list nodes', () => {
      throw new Unavailable('no answer');
    });
    expect(await tried('cp-1')).toBe('no answer');
    expect(cordoned()).toEqual([]);
    expect(lease()).toBeUndefined();
  });

  test('is done though its Lease cannot be given back: that expires', async () => {
    world.workload.on(`delete ${leasePath}`, () => {
      throw new Unavailable('no answer');
    });
    expect(await tried('cp-1')).toBe('cordoned');
    expect(world.said.at(-1)).toBe('Lease is left to expire');
    expect(lease()).toBeDefined();
  });

  test('that was not answered may still be on its way: the Lease stays until it expires', async () => {
    world.workload.on('patch nodes/cp-1', () => {
      throw new Unavailable('no answer');
    });
    expect(await tried('cp-1')).toBe('failed to cordon Node cp-1: no answer');
    expect(await tried('cp-2')).toBe(notPermitted);
    expect(world.said.at(-1)).toBe('Node is not cordoned yet');
    world.time.now += 61_000;
    expect(await tried('cp-2')).toBe('cordoned');
  });
});

describe('a Lease that is there already', () => {
  const expired = '2026-01-01T11:59:10Z';
  const young = '2026-01-01T12:00:00Z';
  const toCome = '2026-01-01T12:00:41Z';

  test.each<
    [what: string, renewTime: string | undefined, creationTimestamp: string | undefined, end: string]
  >([
    ['has expired', expired, expired, 'cordoned'],
    ['is young, by a clock of its holder that is behind', expired, young, notPermitted],
    ['is old, but was renewed', young, expired, notPermitted],
    ['is of an unknown age', undefined, undefined, notPermitted],
    ['has expired, by a clock of its holder that is far ahead', toCome, expired, 'cordoned'],
    [
      'is young, by a clock of its holder that is a little ahead',
      '2026-01-01T12:00:40Z',
      expired,
      notPermitted,
    ],
    ['is young, by a clock of its holder that is far ahead', toCome, young, notPermitted],
    ['is young: our clock is far behind', toCome, toCome, notPermitted],
  ])(
    'is dropped only when it has surely expired: it %s',
    async (_what, renewTime, creationTimestamp, end) => {
      world.workload.put('leases', {
        metadata: {
          namespace: 'default',
          name: 'phaseout-control-plane-cordon',
          uid: 'left-behind',
          ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
        },
        spec: { leaseDurationSeconds: 60, ...(renewTime === undefined ? {} : { renewTime }) },
      });
      expect(await tried('cp-1')).toBe(end);
      expect(lease()?.metadata.uid).toBe(end === 'cordoned' ? undefined : 'left-behind');
    },
  );

  const metadata = { namespace: 'default', name: 'phaseout-control-plane-cordon' };

  test.each<[string, string, string]>([
    ['is over by then', expired, 'cordoned'],
    ['is not over yet', young, notPermitted],
  ])(
    'and says nothing of itself is held for a minute from when it was made, which %s',
    async (_what, creationTimestamp, end) => {
      world.workload.put('leases', { metadata: { ...metadata, creationTimestamp } });
      expect(await tried('cp-1')).toBe(end);
    },
  );

  test('and is held is asked for once', async () => {
    world.workload.put('leases', { metadata: { ...metadata, creationTimestamp: young } });
    await tried('cp-1');
    expect(world.log).toEqual([`create ${leasePath}`]);
  });

  test('and is given back before it was looked at is taken', async () => {
    world.workload.on('create leases', () => ({ kind: 'conflict', message: 'it exists' }));
    expect(await tried('cp-1')).toBe('cordoned');
    expect(lease()).toBeUndefined();
  });

  test.each([
    ['is dropped, and its place taken', 19_999, 'cordoned'],
    ['says too late that its place is free: the Machine may be paused by then', 20_000, notPermitted],
  ])('and has expired %s', async (_what, milliseconds, end) => {
    world.workload.put('leases', { metadata: { ...metadata, creationTimestamp: expired } });
    world.workload.on(`get ${leasePath}`, () => void (world.time.now += milliseconds));
    expect(await tried('cp-1')).toBe(end);
    expect(lease()).toBeUndefined();
  });

  test('and changes hands as it is dropped is left to whoever has it', async () => {
    world.workload.put('leases', { metadata: { ...metadata, creationTimestamp: expired } });
    world.workload.on(`delete ${leasePath}`, () => {
      world.workload.put('leases', { metadata: { ...metadata, uid: 'taken', creationTimestamp: expired } });
    });
    expect(await tried('cp-1')).toBe(notPermitted);
    expect(lease()?.metadata.uid).toBe('taken');
    expect(world.log).toEqual([`create ${leasePath}`, `delete ${leasePath}`]);
  });
});

test('a mistake of ours that keeps a Lease from being given back is thrown', async () => {
  world.workload.on(`delete ${leasePath}`, () => {
    throw new TypeError('undefined is not a function');
  });
  await expect(tried('cp-1')).rejects.toThrow(TypeError);
});

test('a Lease that may not be taken is named, and nothing is cordoned without it', async () => {
  world.workload.on('create leases', () => ({ kind: 'refused', code: 403, message: 'forbidden' }));
  expect(await tried('cp-1')).toBe(
    'Lease default/phaseout-control-plane-cordon could not be taken: forbidden',
  );
  expect(cordoned()).toEqual([]);
});

const begin = (name: string, env = world.env): { outcome: Promise<string>; step: Caller['step'] } => {
  const { api, step } = aCaller(world.workload);
  return { outcome: tried(name, api, env), step };
};

const restored = (): void => {
  for (const name of ['cp-1', 'cp-2'])
    world.workload.change(`nodes/${name}`, { spec: { unschedulable: false } });
};

describe('two who cordon at the same moment', () => {
  test('never both do, in whatever order their calls come', async () => {
    const ends = new Set<string>();
    for (const schedule of schedules(9)) {
      restored();
      const callers = [begin('cp-1'), begin('cp-2', world.another())];
      for (const who of [...schedule, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]) {
        await callers[who]?.step();
        expect(cordoned().length).toBeLessThanOrEqual(1);
      }
      const outcomes = await Promise.all(callers.map(({ outcome }) => outcome));
      expect(cordoned()).toHaveLength(1);
      expect(lease()).toBeUndefined();
      ends.add(outcomes.join(' / '));
    }
    expect([...ends].toSorted()).toEqual([`cordoned / ${notPermitted}`, `${notPermitted} / cordoned`]);
  });

  test.each<[calls: number, sooner: string, later: string, ended: string[]]>([
    [1, notPermitted, 'cordoned', ['cp-2']],
    [2, notPermitted, 'cordoned', ['cp-2']],
    [3, notPermitted, 'cordoned', ['cp-2']],
    [4, notPermitted, notPermitted, ['cp-1']],
    [5, notPermitted, notPermitted, ['cp-1']],
  ])(
    'one of whom vanishes after %i calls hinders the other no longer than a minute',
    async (calls, sooner, later, ended) => {
      const vanishing = begin('cp-1');
      for (let call = 0; call < calls; call += 1) await vanishing.step();
      world.time.now += 59_000;
      expect(await tried('cp-2')).toBe(sooner);
      world.time.now += 1_000;
      expect(await tried('cp-2')).toBe(later);
      expect(cordoned()).toEqual(ended);
      expect(lease()).toBeUndefined();
    },
  );

  test.each<[seconds: number, set: number, outcome: string, ended: string[]]>([
    [19, 0, 'cordoned', ['cp-1']],
    [20, 0, notPermitted, []],
    [19, -3_600, 'cordoned', ['cp-1']],
    [20, -3_600, notPermitted, []],
  ])(
    'who took the Lease %i s ago cordons or not, and gives it back: its clock is set by %i s',
    async (seconds, set, outcome, ended) => {
      const slow = begin('cp-1');
      await slow.step();
      world.time.now += (seconds + set) * 1_000;
      world.time.passed += seconds * 1_000;
      for (let call = 0; call < 5; call += 1) await slow.step();
      expect(await slow.outcome).toBe(outcome);
      expect(cordoned()).toEqual(ended);
      expect(lease()).toBeUndefined();
    },
  );

  test.each([1, 2])(
    'one of whom slept after %i calls does nothing late, and takes no other Lease away',
    async (calls) => {
      const sleeping = begin('cp-1');
      for (let call = 0; call < calls; call += 1) await sleeping.step();
      world.time.now += 61_000;
      // Refused, looked at, dropped, taken.
      const awake = begin('cp-2', world.another());
      for (let call = 0; call < 4; call += 1) await awake.step();
      const held = lease();
      expect(held).toMatchObject({ spec: { renewTime: '2026-01-01T12:01:11.000000Z' } });
      for (let call = 0; call < 4; call += 1) await sleeping.step();
      expect(await sleeping.outcome).toBe(notPermitted);
      expect(lease()).toEqual(held);
      for (let call = 0; call < 4; call += 1) await awake.step();
      expect(await awake.outcome).toBe('cordoned');
      expect(cordoned()).toEqual(['cp-2']);
    },
  );
});
