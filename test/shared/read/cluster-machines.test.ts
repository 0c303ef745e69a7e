import { expect, test } from 'vitest';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { openShift } from '../../../shared/dialects/openshift/index.ts';
import { Forbidden, Unavailable, Undetermined } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { otherClaims } from '../../../shared/read/cluster-machines.ts';
import { surroundingsOf } from '../../../shared/read/surroundings.ts';
import { aMachine } from '../../builders/cluster-api.ts';
import { aMachine as anOpenShiftMachine, aRawMachine } from '../../builders/openshift.ts';
import { aRival, aWorld, type World } from '../../builders/world.ts';

const other = (parts: Partial<KubeObject['metadata']> = {}): KubeObject => {
  const rival = aRival();
  return { ...rival, metadata: { ...rival.metadata, ...parts } };
};

const ofCluster = async ({ env }: World) =>
  (await otherClaims(env, aMachine(), clusterApi)).claims
    .map(({ machine }) => machine)
    .filter((name) => !name.includes('cp-'));

const moved = { 'clusterctl.cluster.x-k8s.io/delete-for-move': '' };

test.each<[string, KubeObject, string[]]>([
  ['that lives', other(), ['default/m-9']],
  ['that is being deleted', other({ deletionTimestamp: '2026-01-01T12:00:00Z' }), ['default/m-9']],
  ['that was moved to another cluster', other({ annotations: moved }), []],
  ['that is a copy in the other API', { ...other(), apiVersion: 'machine.openshift.io/v1beta1' }, []],
  ['of another Cluster', other({ labels: { 'cluster.x-k8s.io/cluster-name': 'another' } }), []],
  ['that is the Machine itself', other({ name: 'm-1', uid: 'uid-1' }), []],
])('what another Machine claims counts or not: one %s', async (_which, machine, expected) => {
  const world = aWorld();
  world.management.put('machines', machine);
  expect(await ofCluster(world)).toEqual(expected);
});

test('one list is for all Machines of the Cluster for 30 seconds, and counts its control plane as well', async () => {
  const world = aWorld();
  const counts = (machine = aMachine()) =>
    surroundingsOf(world.env, machine, clusterApi, { nodeDeletion: true });
  const lists = () => world.management.reads.filter((read) => read === 'list machines').length;
  expect((await counts()).controlPlaneMembers).toBe(3);
  await ofCluster(world);
  await otherClaims(world.env, aMachine({ metadata: { name: 'm-2', uid: 'uid-2' } }), clusterApi);
  expect(lists()).toBe(1);
  world.time.now += 30_000;
  await ofCluster(world);
  expect(lists()).toBe(1);
  world.time.now += 1;
  await ofCluster(world);
  expect(lists()).toBe(2);
});

test('without the right to list them it is said that some may be missing', async () => {
  const world = aWorld();
  world.management.on('list machines', () => {
    throw new Forbidden('403', { statusText: 'machines is forbidden' });
  });
  expect(await otherClaims(world.env, aMachine(), clusterApi)).toEqual({
    claims: [],
    unread: 'machines is forbidden',
  });
});

test('what cannot be asked now is undetermined: no time limit runs', async () => {
  const world = aWorld();
  world.management.on('list machines', () => {
    throw new Unavailable('no answer', { retryAfterSeconds: 7 });
  });
  const failure = await otherClaims(world.env, aMachine(), clusterApi).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Undetermined);
  expect(failure).toMatchObject({ message: 'no answer', retryAfterSeconds: 7 });
});

test.each<[string[], string | undefined]>([
  [[], undefined],
  [['default'], 'Machines of other namespaces are not looked at'],
])('where phaseout looks after %j, Machines of OpenShift may be missing: %s', async (namespaces, unread) => {
  const world = aWorld(aRawMachine(), { namespaces });
  const claims = await otherClaims(world.env, anOpenShiftMachine(), openShift);
  expect(claims.unread).toBe(unread);
});
