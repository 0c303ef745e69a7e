import { expect, test } from 'vitest';
import { serializeAsked } from '../../../../shared/hooks/asked.ts';
import { anAsked } from '../../../builders/asked.ts';
import type { Fault } from '../../faults/fault.ts';
import type { PlayedHook } from '../../platform/functions/played.ts';
import { createRandom, type Random } from '../../random.ts';
import { World } from '../../world.ts';
import { listedHook, ourHook, ourName } from '../beside.ts';
import type { Blueprint, MachineBlueprint } from '../blueprint.ts';
import { build } from '../build/build.ts';
import { buildDeletionHooks } from '../build/deletion-hooks.ts';
import { buildOwnLease } from '../build/own-lease.ts';
import { drawBlueprint } from '../draw/draw.ts';
import { hookName } from '../draw/hooks.ts';
import { deeds } from './index.ts';

/** What users and their clusters do to deletions, and the switches by which they do. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  'objects deleted and re-created under the same name': [
    'machine-recreated',
    'pod-recreated',
    'pod-comes-back-by-name',
    'node-recreated',
    'infrastructure-recreated',
  ],
  'objects deleted by hand': [
    'pods-deleted',
    'node-deleted',
    'daemonset-deleted',
    'infrastructure-deleted',
    'machine-deleted-again',
    'machine-deleted-as-registered',
  ],
  'Machines whose finalizers are taken off by hand': [
    'machine-torn-away',
    'new-machine-torn-away',
    'finalizer-removed',
  ],
  'Pods that come back': ['pods-come-back', 'pods-added'],
  'Pods that never stop': ['pods-never-stop'],
  'Pods that hold finalizers': ['pods-held'],
  'Pods whose evictions a webhook denies': ['evictions-denied'],
  'labels that change': ['pod-labels-changed', 'machine-labels-changed'],
  'budgets edited': ['budgets-edited', 'budgets-removed'],
  'budgets impossible': ['budget-impossible', 'budgets-overlap'],
  'budgets circular between two Nodes': ['budgets-circular'],
  'Nodes that turn unreachable and return': ['node-unreachable'],
  'Nodes that others see to': ['node-uncordoned', 'node-cordoned', 'node-held'],
  'rules changed': ['rules-added', 'rules-edited', 'rule-invalid'],
  'hooks changed': ['hooks-added', 'hooks-removed', 'hook-put-back', 'hook-brought-back'],
  'what was drained is needed again': ['needed-at-hand-over', 'changed-at-hand-over'],
  'controllers beside phaseout that stop': ['peers-restart'],
  'a Lease that goes': ['own-lease-removed'],
  'Machines that are not to be held': ['machine-released', 'machine-marked-for-move'],
  'timeouts changed': ['timeouts-changed'],
  'pause changed': [
    'machine-paused',
    'machine-paused-on-its-way',
    'machine-handed-over',
    'machine-migrates',
    'cluster-paused',
    'machine-given-away',
  ],
  'exclusions changed': ['exclusions-changed'],
  'infrastructure that takes forever': ['infrastructure-held'],
  'a checkpoint corrupted by hand': ['checkpoint-corrupted'],
  'functions that are not waited for': ['function-passed', 'deletion-hook-removed'],
  'clusters as a whole': [
    'cluster-deleted',
    'control-plane-deleted',
    'kubeconfig-replaced',
    'cluster-moved',
    'namespace-deleted',
  ],
};

test('there is a switch for all that users may do, and for nothing else', () => {
  expect(deeds.map(({ name }) => name).toSorted()).toEqual(Object.values(wanted).flat().toSorted());
});

const aHook: PlayedHook = {
  namespace: 'openshift-machine-api',
  name: 'move-data',
  spec: {
    at: 'PreDrain',
    order: 0,
    every: '5s',
    silentAfter: '5m',
    onClusterDeletion: 'Proceed',
    controlPlanes: true,
  },
  plays: { until: 'Working', calls: undefined },
};

/** Those of OpenShift wait for a function. */
function reachFunctions({ management }: World, machines: readonly MachineBlueprint[]): void {
  for (const { api, resource, namespace, name } of machines) {
    const machine = management.get(resource, namespace, name);
    if (api !== 'openshift' || machine?.metadata.deletionTimestamp === undefined) continue;
    const { uid = '' } = machine.metadata;
    const checkpoint = JSON.stringify({ phase: 'pre-drain', uid });
    const asked = serializeAsked(uid, [anAsked({ begin: '2026-01-01T00:00:08Z' })]);
    const annotations = { 'phaseout.dev/checkpoint': checkpoint, 'phaseout.dev/hooks': asked };
    management.patch(resource, machine, { metadata: { annotations } });
  }
}

/** A large world, half of whose Machines are being deleted, with something of everything that deeds are done to. */
function aBusyWorld(random: Random): { world: World; machines: Blueprint['machines'] } {
  const blueprint = drawBlueprint(random.fork('blueprint'), 'large', {
    version: undefined,
    latest: 5_000,
    latencyMilliseconds: 1,
  });
  const workloads = ['blue', 'green', 'red'];
  const parts = {
    workloads,
    otherPeers: ['openshift' as const],
    instances: 0,
    config: {},
    deletionHooks: blueprint.machines.some(({ api }) => api === 'openshift') ? [aHook] : [],
    latencyMilliseconds: 1,
    random: random.fork('world'),
  };
  const world = new World(parts);
  build(world, blueprint, 'v1beta2');
  buildOwnLease(world);
  buildDeletionHooks(world);
  return { world, machines: blueprint.machines.filter(({ server }) => server?.madeAt === undefined) };
}

function begin(world: World, machines: readonly MachineBlueprint[]): void {
  for (const [index, { resource, namespace, name, host, node, api }] of machines.entries()) {
    const hook = { [hookName('capi', 'pre-drain', 'busy')]: 'somebody' };
    const annotations = { 'phaseout.dev/checkpoint': '{"phase":"drain"}', ...(api === 'capi' && hook) };
    world.management.patch(resource, { metadata: { namespace, name } }, { metadata: { annotations } });
    if (index % 2 === 0) world.management.remove(resource, { metadata: { namespace, name } });
    if (node !== undefined && index % 2 === 0 && world.cluster(host).get('nodes', undefined, node))
      world.cluster(host).patch('nodes', { metadata: { name: node } }, { spec: { unschedulable: true } });
  }
}

/** The provider is asked for the servers of Machines whose API leaves that to us. */
function haveServersMade({ management, meddlers }: World, machines: readonly MachineBlueprint[]): void {
  for (const { api, resource, namespace, name } of machines) {
    const machine = management.get(resource, namespace, name);
    if (api === 'v1alpha1' && machine !== undefined)
      meddlers.provider({ instance: 'instance-1', operation: 'create', machine, cluster: undefined });
  }
}

/** Instances put our hook on Machines that live. */
function haveHooksPut({ management, meddlers }: World, machines: readonly MachineBlueprint[]): void {
  const body = { metadata: { annotations: { [ourHook]: ourName } } };
  for (const { api, resource, namespace, name } of machines) {
    const machine = management.get(resource, namespace, name);
    if (api === 'capi' && machine !== undefined)
      meddlers.request({ ...aPatch, resource, namespace, name, body });
  }
}

const aPatch = {
  instance: 'instance-1',
  host: 'management',
  path: '',
  query: {},
  method: 'PATCH',
  verb: 'patch',
};

/** They are about to be handed over, with our hook on them, or have been. */
function reachHandOver(
  { management }: World,
  machines: readonly MachineBlueprint[],
  hook: string | null,
): void {
  for (const { api, resource, namespace, name } of machines) {
    const machine = management.get(resource, namespace, name);
    if (api !== 'capi' || machine?.metadata.deletionTimestamp === undefined) continue;
    const checkpoint = JSON.stringify({ phase: 'hand-over', uid: machine.metadata.uid });
    const annotations = { 'phaseout.dev/checkpoint': checkpoint, [ourHook]: hook };
    management.patch(resource, machine, { metadata: { annotations } });
  }
}

/** Those of OpenShift say that our hook is to go. */
function sayHandingOver({ management }: World, machines: readonly MachineBlueprint[]): void {
  const lastTransitionTime = '2026-01-01T00:00:09Z';
  const condition = {
    type: 'phaseout.dev/Draining',
    status: 'False',
    reason: 'HandingOver',
    lastTransitionTime,
  };
  for (const { api, resource, namespace, name } of machines) {
    const machine = management.get(resource, namespace, name);
    if (api !== 'openshift' || machine?.metadata.deletionTimestamp === undefined) continue;
    management.patch(resource, machine, { spec: { lifecycleHooks: { preDrain: [listedHook] } } });
    management.patch(resource, machine, { status: { conditions: [condition] } }, 'status');
  }
}

/** As if their deletion had come to its end. */
function letMachinesGo(world: World, machines: readonly MachineBlueprint[]): void {
  for (const { resource, namespace, name } of machines) {
    const machine = world.management.get(resource, namespace, name);
    if (machine?.metadata.deletionTimestamp !== undefined)
      world.management.patch(resource, machine, { metadata: { finalizers: null } });
  }
}

interface Told {
  hits: string[];
  said: string[];
  /** The lines about Machines that were not there (any more). */
  untrue: string[];
  violations: readonly string[];
}

async function done(deed: Fault, seed: number): Promise<Told> {
  const random = createRandom(seed);
  const { world, machines } = aBusyWorld(random);
  await world.scheduler.run(world.now() + 3_000);
  begin(world, machines);
  const [hits, said, untrue]: [string[], string[], string[]] = [[], [], []];
  const isThere = (key: string): boolean =>
    machines.some(
      ({ resource, namespace, name }) =>
        key === `${namespace}/${name}` && world.management.get(resource, namespace, name) !== undefined,
    );
  world.observers.push({
    hit: (fault) => hits.push(fault),
    said(who, what) {
      said.push(`${who} ${what}`);
      const [, key] = /^(?:lets|has) (\S+) (?:go on|ruled by)/.exec(what) ?? [];
      if (key !== undefined && !isThere(key)) untrue.push(what);
    },
  });
  const nothing = {
    build: () => undefined,
    deeds: [],
    calmAt: 20_000,
    blockers: () => [],
    giveIn: () => undefined,
  };
  const parts = { workloads: [], instances: 0, config: {}, latencyMilliseconds: 1 };
  deed.strike({
    world,
    scenario: { ...nothing, world: parts, machines },
    random: random.fork('deed'),
    lasts: 20_000,
  });
  world.scheduler.after(2_000, () => reachFunctions(world, machines));
  world.scheduler.after(5_000, () => haveServersMade(world, machines));
  world.scheduler.after(5_000, () => haveHooksPut(world, machines));
  world.scheduler.after(6_000, () => reachHandOver(world, machines, ourName));
  world.scheduler.after(6_000, () => sayHandingOver(world, machines));
  world.scheduler.after(8_000, () => reachHandOver(world, machines, null));
  world.scheduler.after(10_000, () => letMachinesGo(world, machines));
  await world.scheduler.run(world.now() + 25_000);
  world.end();
  return { hits, said, untrue, violations: world.violations };
}

test.each(deeds.map((deed) => [deed.name, deed] as const))('%s is done, and told', async (name, deed) => {
  const all: Told[] = [];
  for (let seed = 1; seed <= 20 && !all.some(({ hits }) => hits.length > 0); seed += 1)
    all.push(await done(deed, seed));
  expect(new Set(all.flatMap(({ hits }) => hits))).toEqual(new Set([name]));
  expect(all.flatMap(({ said }) => said)).not.toEqual([]);
  expect(all.flatMap(({ violations }) => violations)).toEqual([]);
});

test.each(
  deeds.filter(({ name }) => ['machine-paused', 'machine-handed-over', 'machine-given-away'].includes(name)),
)('$name: nobody lets a Machine go on that is gone', async (deed) => {
  const all = await Promise.all(Array.from({ length: 12 }, (_, seed) => done(deed, seed)));
  expect(all.flatMap(({ said }) => said)).toContainEqual(expect.stringMatching(/go on$|again$/));
  expect(all.flatMap(({ untrue }) => untrue)).toEqual([]);
});
