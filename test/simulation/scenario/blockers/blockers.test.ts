import { afterEach, expect, test } from 'vitest';
import { management } from '../../platform/clusters.ts';
import { createRandom } from '../../random.ts';
import { World } from '../../world.ts';
import { ourHook, ourName, ourSecondHook } from '../beside.ts';
import type { Blueprint, MachineBlueprint } from '../blueprint.ts';
import { build } from '../build/build.ts';
import { aCluster, aMachine, aNode, aPod, emptyDraft } from '../draw/draft.ts';
import { blueSite, openShiftSite, originalSite } from '../draw/usual-sites.ts';
import { giveIn } from '../give-in.ts';
import { blockersOf } from './blockers.ts';
import { endCases } from './cases/ends.ts';
import { functionCases } from './cases/functions.ts';
import type { Held, HeldCases } from './cases/held.ts';
import { machineCases } from './cases/machine.ts';
import { podCases } from './cases/pods.ts';

const sites = { capi: blueSite, openshift: openShiftSite, v1alpha1: originalSite };

const cases: HeldCases = { ...machineCases, ...podCases, ...endCases, ...functionCases };

let world: World | undefined;
afterEach(() => world?.end());

/** The world of a case, with the Machine `worker` deleted and its checkpoint where it says. */
async function stage(about: Held): Promise<{ world: World; machines: Blueprint['machines'] }> {
  const { machine = {}, pod, draw, functions = [], afterwards } = about;
  const usual = sites[about.api ?? 'capi'];
  const site = about.isAtHome === true ? { ...usual, host: management } : usual;
  const draft = emptyDraft();
  const { cluster, host } = site;
  if (cluster !== undefined) draft.clusters.push(aCluster(site));
  draft.machines.push(aMachine(site, { name: 'member', isControlPlane: true }));
  const worker = aMachine(site, { name: 'worker', node: 'node-1', ...machine });
  draft.machines.push(worker);
  draft.nodes.push(aNode({ host, name: 'node-1', providerID: worker.providerID }));
  if (pod !== undefined) draft.pods.push(aPod({ host, node: 'node-1' }, { name: 'app', ...pod }));
  draw?.(draft);
  const made = new World({
    random: createRandom(1),
    workloads: ['blue'],
    instances: 0,
    config: {},
    deletionHooks: functions,
    latencyMilliseconds: 1,
  });
  world = made;
  build(made, draft, 'v1beta2');
  await made.scheduler.run(made.now() + 3_000);
  standAt(made, worker, about);
  afterwards?.(made);
  await made.scheduler.run(made.now() + 200);
  return { world: made, machines: draft.machines };
}

function standAt(
  { management: cluster }: World,
  { resource, namespace, name }: MachineBlueprint,
  { phase, drained }: Held,
): void {
  const object = { metadata: { namespace, name } };
  const uid = cluster.get(resource, namespace, name)?.metadata.uid;
  const passed = drained === undefined ? {} : { drain: { as: drained, since: '2026-01-01T00:00:00Z' } };
  const checkpoint = JSON.stringify({ v: 1, uid, seq: 0, phase, since: '2026-01-01T00:00:00Z', passed });
  cluster.patch(resource, object, { metadata: { annotations: { 'phaseout.dev/checkpoint': checkpoint } } });
  cluster.remove(resource, object);
}

test.each(Object.entries(cases))('%s', async (_name, about) => {
  const set = await stage(about);
  const found = blockersOf(set.world, set.machines);
  const ofWorker = found.filter(({ machine }) => machine.name === 'worker');
  expect(ofWorker.map(({ kind }) => kind)).toEqual(about.held === undefined ? [] : [about.held]);
});

const held = Object.entries(cases).filter(([, about]) => about.held !== undefined);

test.each(held)('nobody is held any more once everybody has given in: %s', async (_name, about) => {
  const set = await stage(about);
  giveIn(set.world, set.machines);
  await set.world.scheduler.run(set.world.now() + 60_000);
  expect([blockersOf(set.world, set.machines), set.world.violations]).toEqual([[], []]);
});

test.each([
  ['a volume that never comes off', 'the volume of shop/data that never comes off'],
  ['an attachment of no volume that never comes off', 'the volume of lone that never comes off'],
] as const)('%s is called by what the Machine says of it', async (name, what) => {
  const set = await stage(endCases[name] ?? { phase: 'never' });
  const [found] = blockersOf(set.world, set.machines);
  expect([found?.what, found?.says.test(what)]).toEqual([what, true]);
});

test.each([
  ['replace', false],
  ['beside', true],
] as const)(
  'whether nothing need be said of a paused Machine whose Cluster is gone, in mode %s',
  async (mode, isUnsaid) => {
    const { world: made, machines } = await stage({
      phase: 'drain',
      machine: { annotations: { 'cluster.x-k8s.io/paused': '' } },
      afterwards(there) {
        there.config = { ...there.config, mode: { ...there.config.mode, capi: mode } };
        const metadata = { namespace: 'fleet', name: 'blue', finalizers: [] };
        there.management.patch('clusters.cluster.x-k8s.io', { metadata }, { metadata });
        there.management.remove('clusters.cluster.x-k8s.io', { metadata });
      },
    });
    // Our hook holds it.
    const hooked = { metadata: { annotations: { [ourHook]: ourName } } };
    const object = { metadata: { namespace: 'fleet', name: 'worker' } };
    made.management.patch('machines.cluster.x-k8s.io', object, hooked);
    const [found] = blockersOf(made, machines);
    expect([found?.kind, found?.says.test('')]).toEqual(['paused', isUnsaid]);
  },
);

test.each([
  ['drains', 'DrainingNode', 'pod'],
  ['comes to the hooks before the end of the server', 'WaitingForPreTerminateHook', 'hook'],
])('our second hook holds a Machine when its own controller %s: %s', async (_what, reason, expected) => {
  const { world: made, machines } = await stage({
    phase: 'pre-terminate',
    pod: { finalizers: ['example.com/stays'] },
    afterwards(there) {
      there.config = { ...there.config, mode: { ...there.config.mode, capi: 'beside' } };
      there.cluster('blue').remove('pods', { metadata: { namespace: 'shop', name: 'app' } });
    },
  });
  const object = { metadata: { namespace: 'fleet', name: 'worker' } };
  const metadata = { annotations: { [ourSecondHook]: ourName } };
  const deleting = { type: 'Deleting', status: 'True', reason, message: '' };
  const status = { conditions: [{ ...deleting, lastTransitionTime: '2026-01-01T00:00:03Z' }] };
  made.management.patch('machines.cluster.x-k8s.io', object, { metadata });
  made.management.patch('machines.cluster.x-k8s.io', object, { status }, 'status');
  const [found] = blockersOf(made, machines);
  expect(found?.kind).toBe(expected);
});
