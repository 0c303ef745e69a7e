import { describe, expect, test } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { infrastructure } from '../../../functions/infrastructure.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { sightInfrastructure } from '../../../shared/observe/owned-object.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { timeAfter } from '../../builders/cluster-api.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld, type World } from '../../builders/world.ts';

const { infrastructure: _server, ...without } = aSubject().machine;
const path = 'servers/default/m-1';
const failing = (error: Error) => () => {
  throw error;
};

describe.each([
  ['infrastructure', infrastructure, 'Server', 'servers', 'infra.example'],
  ['bootstrap', bootstrap, 'Config', 'configs', 'boot.example'],
] as const)('%s', (place, phase, kind, plural, group) => {
  const subject = aSubject({ phase: place });
  const ref = { group, kind, namespace: 'default', name: 'm-1' };
  const observed = async ({ env }: World, of = subject) => {
    const snapshot = openSnapshot(env, of);
    return { seen: await phase.observe(snapshot, of), sightings: snapshot.observed };
  };

  const owner = { apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'Machine', uid: 'u', controller: true };
  const controlledBy = (world: World, ...ownerReferences: object[]): void =>
    world.management.change(`${plural}/default/m-1`, { metadata: { ownerReferences } });

  test.each<[string, object, string]>([
    ['another Machine', { name: 'm-2' }, 'another Machine, m-2'],
    ['a Machine whose name begins with its own', { name: 'm-10' }, 'another Machine, m-10'],
    ['a Machine with whose name its own begins', { name: 'm-' }, 'another Machine, m-'],
    ['something else', { apiVersion: 'pools.example/v1', kind: 'Pool', name: 'p-1' }, 'Pool p-1'],
    ['a Machine of another API', { apiVersion: 'example.com/v1', name: 'm-1' }, 'Machine m-1'],
    ['a pool', { kind: 'MachinePool', name: 'm-1' }, 'MachinePool m-1'],
    ['a set of another API', { apiVersion: 'example.com/v1', kind: 'MachineSet', name: 's' }, 'MachineSet s'],
  ])('that %s controls is neither there nor gone', async (_who, controller, who) => {
    const world = aWorld();
    controlledBy(world, { ...owner, controller: false, name: 'm-3' }, { ...owner, ...controller });
    const snapshot = openSnapshot(world.env, subject);
    const why = `${kind} m-1 is controlled by ${who}`;
    await expect(phase.observe(snapshot, subject)).rejects.toThrow(new Unavailable(why));
    expect(snapshot.observed[place]).toEqual({ kind: 'unknown', why });
  });

  test('that another Machine controls is gone at the next look after it went', async () => {
    const world = aWorld();
    controlledBy(world, { ...owner, name: 'm-2' });
    await expect(observed(world)).rejects.toThrow('is controlled by another Machine, m-2');
    world.management.drop(`${plural}/default/m-1`);
    world.time.now += 5_000;
    expect((await observed(world)).seen).toMatchObject({ kind: 'absent' });
  });

  describe('in another namespace', () => {
    const machine = { ...subject.machine, [place]: { ...ref, namespace: 'other' } };
    const afar = { ...subject, machine };

    test('is neither there nor gone, also where a Machine of that name controls it', async () => {
      const world = aWorld();
      const ownerReferences = [{ ...owner, name: 'm-1' }];
      world.management.put(plural, { metadata: { namespace: 'other', name: 'm-1', ownerReferences } });
      const why = `${kind} m-1 is in namespace other, where no Machine of default can own it`;
      await expect(observed(world, afar)).rejects.toThrow(new Unavailable(why));
    });

    test('has gone where it is not there', async () => {
      expect((await observed(aWorld(), afar)).seen).toMatchObject({ kind: 'absent' });
    });
  });

  test.each<[string, object]>([
    ['the Machine itself, also under an earlier UID', { ...owner, name: 'm-1' }],
    ['another Machine as well, which does not control it', { ...owner, name: 'm-2', controller: false }],
    ['a set', { ...owner, kind: 'MachineSet', name: 'set' }],
    [
      'a control plane',
      { ...owner, apiVersion: 'controlplane.cluster.x-k8s.io/v1beta1', kind: 'A', name: 'c' },
    ],
  ])('that is owned by %s is its own', async (_whom, reference) => {
    const world = aWorld();
    controlledBy(world, reference);
    expect((await observed(world)).seen).toMatchObject({ kind: 'present' });
  });

  test('that the Machine does not refer to is none, and nothing is read for that', async () => {
    const world = aWorld();
    const { infrastructure: _, bootstrap: __, ...machine } = subject.machine;
    expect((await observed(world, { ...subject, machine })).seen).toEqual({ kind: 'none' });
    expect(world.management.reads).toEqual([]);
  });

  test('that is there is seen, and shown in its place', async () => {
    const world = aWorld();
    const object = world.management.at(`${plural}/default/m-1`);
    const { seen, sightings } = await observed(world);
    expect(seen).toEqual({
      kind: 'present',
      ref,
      resource: { group, version: 'v1', plural },
      key: { namespace: 'default', name: 'm-1' },
      object,
      deletion: undefined,
    });
    expect(sightings[place]).toEqual({ kind: 'present', object });
  });

  test('that has gone is seen to have gone, and shown so', async () => {
    const world = aWorld();
    world.management.drop(`${plural}/default/m-1`);
    const { seen, sightings } = await observed(world);
    expect(seen).toEqual({ kind: 'absent', ref });
    expect(sightings[place]).toEqual({ kind: 'absent' });
  });

  test.each([
    [30_000, 1],
    [30_001, 2],
  ])(
    'that was seen %i ms ago serves for a delete by its UID, after as many reads: %i',
    async (age, reads) => {
      const world = aWorld();
      await observed(world);
      world.time.now += age;
      expect((await observed(world)).seen).toMatchObject({ kind: 'present' });
      const own = world.management.reads.filter((read) => read === `get ${plural}/default/m-1`);
      expect(own).toHaveLength(reads);
    },
  );

  test('is seen with what its delete was answered', async () => {
    const { env, management } = aWorld();
    const snapshot = openSnapshot(env, subject);
    const key = { namespace: 'default', name: 'm-1' };
    const uid = management.at(`${plural}/default/m-1`)?.metadata.uid ?? '';
    const refused = { kind: 'refused', code: 403, message: 'no' } as const;
    const resource = { group, version: 'v1', plural };
    snapshot.recordDeletion({ side: 'management', resource, key, uid }, refused);
    expect(await phase.observe(snapshot, subject)).toMatchObject({ kind: 'present', deletion: refused });
  });
});

const sighted = ({ env }: World) => {
  const subject = aSubject();
  return sightInfrastructure(openSnapshot(env, subject), subject.machine);
};

describe('the infrastructure that a gate asks for', () => {
  test('is absent where the Machine refers to none', async () => {
    const { env } = aWorld();
    const subject = { ...aSubject(), machine: without };
    expect(await sightInfrastructure(openSnapshot(env, subject), without)).toEqual({ kind: 'absent' });
  });

  test('is unknown while it cannot be read', async () => {
    const world = aWorld();
    world.management.on(`get ${path}`, failing(new Unavailable('no answer')));
    expect(await sighted(world)).toEqual({ kind: 'unknown', why: 'no answer' });
  });

  test('is not shown as unknown because of a defect of ours, which is nobody’s answer', async () => {
    const { env, management } = aWorld();
    const defect = new TypeError('a defect');
    management.on(`get ${path}`, failing(defect));
    const snapshot = openSnapshot(env, aSubject());
    await expect(sightInfrastructure(snapshot, aSubject().machine)).rejects.toBe(defect);
    expect(snapshot.observed.infrastructure).toEqual({ kind: 'unseen' });
  });

  test.each<[age: number, isGoing: boolean, reads: number]>([
    [4_000, false, 1],
    [6_000, false, 2],
    [4_000, true, 2],
  ])('is asked for again %i ms later when it is old, or going: %s', async (age, isGoing, reads) => {
    const world = aWorld();
    if (isGoing) world.management.change(path, { metadata: { deletionTimestamp: timeAfter(5) } });
    await sighted(world);
    world.time.now += age;
    await sighted(world);
    expect(world.management.reads).toEqual(Array.from({ length: reads }, () => `get ${path}`));
  });
});
