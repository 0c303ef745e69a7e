import { afterEach, expect, test } from 'vitest';
import { management } from '../../platform/clusters.ts';
import { createRandom } from '../../random.ts';
import { World } from '../../world.ts';
import type { Blueprint, MachineBlueprint, PodBlueprint } from '../blueprint.ts';
import { build } from '../build/build.ts';
import { setReady } from '../build/power.ts';
import { addBudgets } from '../draw/budgets.ts';
import { aMachine, aNode, aPod, aReferred, aSet, type Draft, emptyDraft, type Site } from '../draw/draft.ts';
import { returningSet } from '../draw/pods.ts';
import { giveIn } from '../give-in.ts';
import { blockersOf } from './blockers.ts';

const capi: Site = { api: 'capi', namespace: 'fleet', cluster: 'blue', host: 'blue', workers: 1 };
const openShift: Site = {
  api: 'openshift',
  namespace: 'openshift-machine-api',
  cluster: undefined,
  host: management,
  workers: 1,
};
const original: Site = { ...capi, api: 'v1alpha1' };
const sites = { capi, openshift: openShift, v1alpha1: original };

interface Case {
  api?: Site['api'];
  machine?: Partial<MachineBlueprint>;
  /** Where its deletion stands. */
  phase: string;
  /** How the drain was passed. */
  drained?: string;
  pod?: Partial<PodBlueprint>;
  draw?: (draft: Draft) => void;
  /** What happens after all of it was made. */
  then?: (world: World) => void;
  /** Kind and words of what holds it; undefined where nothing does. */
  held?: string;
}

const neverStops = { 'local.phaseout.dev/never-stops': 'true' };
const stopped = (phase: 'infrastructure' | 'bootstrap') => (world: World) =>
  world.management.remove(`${kinds[phase]}`, { metadata: { namespace: 'fleet', name: 'worker' } });
const kinds = {
  infrastructure: 'genericinfrastructuremachines.infrastructure.cluster.x-k8s.io',
  bootstrap: 'genericbootstrapconfigs.bootstrap.cluster.x-k8s.io',
};
const hook = (name: string, owner = 'nobody', point: 'pre-drain' | 'pre-terminate' = 'pre-drain') => ({
  point,
  name,
  owner,
  leavesAt: undefined,
});
const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup';
const preTerminate = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/backup';
const removePod = (world: World): void =>
  world.cluster('blue').remove('pods', { metadata: { namespace: 'shop', name: 'app' } });
const guarded =
  (...specs: object[]) =>
  (draft: Draft): void => {
    draft.sets.push(aSet({ host: 'blue', name: 'cart', replicas: 1 }));
    addBudgets(draft, 'blue', 'cart', specs);
  };
const ofCart = { replicaSet: 'cart', labels: { app: 'cart' } };
const broken = { selector: { matchExpressions: [{ key: 'a', operator: 'Nope' }] } };
const rule = (spec: object) => (draft: Draft) =>
  void draft.rules.push({ namespace: 'fleet', name: 'odd', spec });
const volume = (stuckOn?: string) => (draft: Draft) =>
  void draft.volumes.push({ host: 'blue', namespace: 'shop', name: 'data', stuckOn });
const spare = (draft: Draft) => void draft.nodes.push(aNode({ host: 'blue', name: 'node-spare' }));
const otherMaster = (draft: Draft): void => {
  const labels = { 'node-role.kubernetes.io/master': '' };
  draft.nodes = draft.nodes.map((node) => ({ ...node, labels }));
  draft.nodes.push(aNode({ host: management, name: 'node-2', labels }));
};
const cordonOther = (world: World) =>
  void world.management.patch('nodes', { metadata: { name: 'node-2' } }, { spec: { unschedulable: true } });

const cases: Readonly<Record<string, Case>> = {
  'nothing holds a Machine whose Pods go': { phase: 'drain', pod: {} },
  'a hook that nobody takes off': { phase: 'pre-drain', machine: { hooks: [hook(preDrain)] }, held: 'hook' },
  'a hook whose owner is prompt': {
    phase: 'pre-drain',
    machine: { hooks: [hook(preDrain, 'local-hook-owner')] },
  },
  'a hook before the drain that was put on late': {
    phase: 'infrastructure',
    machine: { hooks: [hook(preDrain)] },
    held: 'hook',
  },
  'a hook before the drain of a Machine whose Node is not to be touched': {
    phase: 'pre-terminate',
    machine: { hooks: [hook(preDrain)] },
    draw: (draft) => void draft.machines.shift(),
  },
  'a hook before the end of the server': {
    phase: 'pre-terminate',
    machine: { hooks: [hook(preTerminate, 'nobody', 'pre-terminate')] },
    held: 'hook',
  },
  'a hook before the end of the server, while the Node is drained': {
    phase: 'drain',
    machine: { hooks: [hook(preTerminate, 'nobody', 'pre-terminate')] },
  },
  'a hook of OpenShift': {
    api: 'openshift',
    phase: 'pre-drain',
    machine: { hooks: [hook('backup', 'nobody')] },
    held: 'hook',
  },
  'a hook of OpenShift before a drain that is excluded': {
    api: 'openshift',
    phase: 'pre-terminate',
    machine: {
      hooks: [hook('backup', 'nobody')],
      annotations: { 'machine.openshift.io/exclude-node-draining': '' },
    },
  },
  'a paused Machine': {
    phase: 'drain',
    machine: { annotations: { 'cluster.x-k8s.io/paused': '' } },
    held: 'paused',
  },
  'a paused Cluster': {
    phase: 'drain',
    draw: (draft) => void (draft.clusters = draft.clusters.map((one) => ({ ...one, isPaused: true }))),
    held: 'paused',
  },
  'a Cluster that is gone': {
    phase: 'drain',
    then: (world) =>
      world.management.remove('clusters.cluster.x-k8s.io', {
        metadata: { namespace: 'fleet', name: 'blue' },
      }),
    held: 'cluster',
  },
  'a Cluster of v1alpha1 that is gone': {
    api: 'v1alpha1',
    phase: 'infrastructure',
    then: (world) =>
      world.management.remove('clusters.cluster.k8s.io', { metadata: { namespace: 'fleet', name: 'blue' } }),
    held: 'cluster',
  },
  'a Machine of OpenShift that another API rules': {
    api: 'openshift',
    phase: 'drain',
    then: (world) =>
      void world.management.patch(
        'machines.machine.openshift.io',
        { metadata: { namespace: 'openshift-machine-api', name: 'worker' } },
        { spec: { authoritativeAPI: 'ClusterAPI' } },
      ),
    held: 'paused',
  },
  'a Pod that never stops': {
    phase: 'drain',
    pod: { annotations: neverStops },
    then: removePod,
    held: 'pod',
  },
  'a Pod that never stops, within a time limit': {
    phase: 'drain',
    machine: { timeouts: { drain: 20 } },
    pod: { annotations: neverStops },
    then: removePod,
  },
  'a Pod that never stops, with the drain excluded': {
    phase: 'volume-detach',
    drained: 'excluded',
    machine: { annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': 'false' } },
    pod: { annotations: neverStops },
    then: removePod,
  },
  'a Pod that never stops, on a Node that cannot be reached': {
    phase: 'drain',
    pod: { annotations: neverStops },
    then(world) {
      removePod(world);
      setReady(world, 'blue', 'node-1', 'Unknown');
    },
  },
  'a Pod that never stops, and that stays anyway': {
    phase: 'drain',
    pod: { annotations: neverStops, labels: { 'cluster.x-k8s.io/drain': 'skip' } },
    then: removePod,
  },
  'a Pod that never stops, and that came after the drain': {
    phase: 'volume-detach',
    drained: 'done',
    pod: { annotations: neverStops },
    then: removePod,
    held: 'pod',
  },
  'a Pod with a finalizer of somebody else': {
    phase: 'drain',
    pod: { finalizers: ['backup.example/copy'] },
    then: removePod,
    held: 'pod',
  },
  'a Pod that is waited for and never completes': {
    phase: 'drain',
    pod: { labels: { 'cluster.x-k8s.io/drain': 'wait-completed' } },
    held: 'pod',
  },
  'a Pod that is waited for and has completed': {
    phase: 'drain',
    pod: { labels: { 'cluster.x-k8s.io/drain': 'Wait-Completed' }, state: 'Succeeded' },
  },
  'a Pod that is waited for and will complete': {
    phase: 'drain',
    pod: {
      labels: { 'cluster.x-k8s.io/drain': 'wait-completed' },
      annotations: { 'local.phaseout.dev/run-seconds': '60' },
    },
  },
  'Pods that come back': {
    phase: 'drain',
    draw: (draft) => void draft.sets.push(returningSet({ host: 'blue', node: 'node-1' })),
    held: 'returning pod',
  },
  'a budget that can never be kept': {
    phase: 'drain',
    pod: ofCart,
    draw: guarded({ minAvailable: 1 }),
    held: 'budget',
  },
  'a budget that lets one go': { phase: 'drain', pod: ofCart, draw: guarded({ maxUnavailable: 1 }) },
  'a budget that waits for a Pod that nobody runs': {
    phase: 'drain',
    pod: ofCart,
    draw(draft) {
      guarded({ maxUnavailable: 1 })(draft);
      draft.sets = draft.sets.map((set) => ({ ...set, replicas: 2, nodeSelector: { nowhere: '' } }));
    },
    held: 'budget',
  },
  'a budget that waits for a Pod that is about to run': {
    phase: 'drain',
    pod: ofCart,
    draw(draft) {
      guarded({ maxUnavailable: 1 })(draft);
      draft.sets = draft.sets.map((set) => ({ ...set, replicas: 2 }));
      spare(draft);
    },
  },
  'two budgets over one Pod': {
    phase: 'drain',
    pod: ofCart,
    draw: guarded({ maxUnavailable: 1 }, { maxUnavailable: 1 }),
    held: 'budget',
  },
  'a rule that makes no sense': {
    phase: 'drain',
    pod: {},
    draw: rule({ drain: { behavior: 'Skip' }, pods: [broken] }),
    held: 'rule',
  },
  'a rule that makes no sense, for other Machines': {
    phase: 'drain',
    pod: {},
    draw: rule({
      drain: { behavior: 'Skip' },
      machines: [{ selector: { matchLabels: { a: 'b' } } }],
      pods: [broken],
    }),
  },
  'a rule that makes no sense, where all Pods are decided without it': {
    phase: 'drain',
    pod: { annotations: { 'kubernetes.io/config.mirror': '' } },
    draw: rule({ drain: { behavior: 'Skip' }, pods: [broken] }),
  },
  'another Node of OpenShift’s control plane that stays cordoned': {
    api: 'openshift',
    phase: 'drain',
    draw: otherMaster,
    then: cordonOther,
    held: 'control plane',
  },
  'a volume that never comes off': {
    phase: 'volume-detach',
    drained: 'done',
    draw: volume('node-1'),
    held: 'volume',
  },
  'a volume that never comes off, within a time limit': {
    phase: 'volume-detach',
    drained: 'done',
    machine: { timeouts: { volumes: 20 } },
    draw: volume('node-1'),
  },
  'a volume of a Pod that was left running': {
    phase: 'volume-detach',
    drained: 'excluded',
    pod: { claims: ['data'] },
    draw: volume(),
    held: 'volume',
  },
  'a volume of a Pod that stays': {
    phase: 'volume-detach',
    drained: 'done',
    pod: { claims: ['data'], labels: { 'cluster.x-k8s.io/drain': 'skip' } },
    draw: volume(),
  },
  'infrastructure that never goes': {
    phase: 'infrastructure',
    machine: { infrastructure: aReferred({ neverStops: true }) },
    then: stopped('infrastructure'),
    held: 'infrastructure',
  },
  'infrastructure with somebody else’s finalizer': {
    phase: 'infrastructure',
    machine: { infrastructure: aReferred({ finalizers: ['network.example/address'] }) },
    then: stopped('infrastructure'),
    held: 'infrastructure',
  },
  'infrastructure that takes its time': {
    phase: 'infrastructure',
    machine: { infrastructure: aReferred({ stopSeconds: 600 }) },
    then: stopped('infrastructure'),
  },
  'a bootstrap object with somebody else’s finalizer': {
    phase: 'bootstrap',
    machine: { bootstrap: aReferred({ finalizers: ['secrets.example/keys'] }) },
    then: stopped('bootstrap'),
    held: 'bootstrap',
  },
  'a server of OpenShift that never stops': {
    api: 'openshift',
    phase: 'infrastructure',
    machine: { annotations: neverStops },
    held: 'infrastructure',
  },
  'a Node with somebody else’s finalizer holds nobody': {
    phase: 'node',
    draw: (draft) =>
      void (draft.nodes = draft.nodes.map((node) => ({ ...node, finalizers: ['nodes.example/inventory'] }))),
    then: (world) => world.cluster('blue').remove('nodes', { metadata: { name: 'node-1' } }),
  },
  'somebody else’s finalizer, after our own is off': {
    phase: 'finalize',
    machine: { finalizers: ['fleet.example/audit'] },
    then: (world) =>
      void world.management.patch(
        'machines.cluster.x-k8s.io',
        { metadata: { namespace: 'fleet', name: 'worker' } },
        { metadata: { finalizers: ['fleet.example/audit'] } },
      ),
    held: 'finalizer',
  },
};

let world: World | undefined;
afterEach(() => world?.end());

/** The world of a case, with the Machine `worker` deleted and its checkpoint where it says. */
async function stage(about: Case): Promise<{ world: World; machines: Blueprint['machines'] }> {
  const { machine = {}, pod, draw, then } = about;
  const site = sites[about.api ?? 'capi'];
  const draft = emptyDraft();
  const { api, namespace, cluster, host } = site;
  if (api !== 'openshift' && cluster !== undefined)
    draft.clusters.push({ api, namespace, name: cluster, host, controlPlane: undefined, isPaused: false });
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
    latencyMilliseconds: 1,
  });
  world = made;
  build(made, draft, 'v1beta2');
  await made.scheduler.run(made.now() + 3_000);
  standAt(made, worker, about);
  then?.(made);
  await made.scheduler.run(made.now() + 200);
  return { world: made, machines: draft.machines };
}

function standAt(
  { management: cluster }: World,
  { resource, namespace, name }: MachineBlueprint,
  { phase, drained }: Case,
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
