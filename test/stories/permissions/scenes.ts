import type { AuditEntry } from '../../../infra/local/kubernetes/authorization/access.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { openShift } from '../../../shared/dialects/openshift/index.ts';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import { alive, type BesideFleet } from '../stage/beside/fleet.ts';
import type { BesideOpenShiftFleet } from '../stage/beside/openshift-fleet.ts';
import { type Fleet, resources } from '../stage/fleet.ts';
import { hookDefinitions, policyDefinitions, triggerDefinition } from '../stage/hook-definitions.ts';
import type { OpenShiftFleet } from '../stage/openshift.ts';
import { agents } from '../stage/scenes.ts';
import {
  besideOpenShift,
  besidePeer,
  openShift as openShiftStories,
  original,
  type Played,
  play,
} from '../stage/story.ts';
import { type OriginalFleet, machines as originalMachines } from '../stage/v1alpha1.ts';
import { watching } from '../stage/watching.ts';
import { acting } from './acting.ts';
import { asksForItself, configured, isWatched } from './beside.ts';
import type { Way } from './granted.ts';

const drainRule = {
  drain: { behavior: 'Drain', order: -5 },
  pods: [
    {
      selector: { matchLabels: { app: 'web' } },
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } },
    },
  ],
};

/** One function is done at once. Another one is silent, and its time limit lets the Machine go on. */
function asksFunctions(fleet: Fleet | OpenShiftFleet): void {
  fleet.deletionHook('move-data', { at: 'PreDrain' });
  const limit = { silentAfter: '30s', timeout: '1m', onTimeout: 'Proceed' };
  fleet.deletionHook('silent', { at: 'PreDrain', ...limit });
  fleet.hookFunctions.serve('move-data', () => ({ state: 'Done' }));
  fleet.drainPolicy('all', { maxUnavailable: '100%', controlPlanes: true });
}

/** A Node with all that a drain may meet. It has Pods of a DaemonSet, a refusing budget, and a rule with namespaces. */
function busy(fleet: Fleet | OpenShiftFleet, node: string): void {
  agents(fleet);
  fleet.rule('early', drainRule);
  fleet.replicas('web', 3, node, { order: -5, stopSeconds: 4 });
  fleet.budget('web', { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } });
}

function aClusterWithItsControlPlane(fleet: Fleet): void {
  const controlPlane = {
    apiGroup: 'controlplane.cluster.x-k8s.io',
    kind: 'GenericControlPlane',
    name: 'blue',
  };
  fleet.cluster('blue', { spec: { controlPlaneRef: controlPlane } });
  fleet.create(resources.controlPlanes, {
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
    kind: 'GenericControlPlane',
    metadata: { name: 'blue', namespace: 'fleet' },
  });
}

const nodeConditions = { PHASEOUT_NODE_CONDITIONS: 'true' };
const asksForMore = { configured: { nodeConditions: true }, environment: nodeConditions };

/** Of Cluster API: owned objects, volumes, a Node known by providerID alone, and finalizers that stay. */
const ofClusterApi = {
  ...asksForMore,
  beside: [...hookDefinitions, ...policyDefinitions, triggerDefinition],
  scene(fleet: Fleet) {
    configured(fleet, 'fleet');
    aClusterWithItsControlPlane(fleet);
    asksFunctions(fleet);
    fleet.worker('worker-1', { bootstrap: { finalizers: ['example.com/kept'] } });
    fleet.worker('worker-2', { status: { nodeRef: null } });
    busy(fleet, 'node-1');
    fleet.volume('data');
    fleet.pod('database', 'node-1', { claim: 'data' });
  },
  async plot(fleet: Fleet) {
    await isWatched(fleet, clusterApi, 'fleet');
    await asksForItself(fleet, 'fleet', { hasProvider: false });
    fleet.delete('worker-1');
    fleet.delete('worker-2');
    await fleet.gone('worker-2');
    await fleet.until('the bootstrap config goes', () => {
      const config = fleet.server.cluster.get(resources.bootstrap, 'fleet', 'worker-1');
      return config?.metadata.deletionTimestamp !== undefined;
    });
    await fleet.seconds(5);
    fleet.change(resources.bootstrap, 'worker-1', { metadata: { finalizers: null } });
    await fleet.gone('worker-1');
  },
};

/** Beside Cluster API's own controller. One Machine gets the hook, one has a busy Node, and one has another's Node. */
const ofBeside = {
  beside: [...hookDefinitions, ...policyDefinitions, triggerDefinition],
  env: { ...alive, ...nodeConditions },
  scene(fleet: BesideFleet) {
    configured(fleet, 'fleet');
    aClusterWithItsControlPlane(fleet);
    asksFunctions(fleet);
    fleet.worker('worker-2');
    fleet.held('worker-1');
    fleet.held('worker-3', { node: { providerID: 'peer://another' } });
    busy(fleet, 'node-1');
    fleet.volume('data');
    fleet.pod('database', 'node-1', { claim: 'data' });
  },
  async plot(fleet: BesideFleet) {
    await isWatched(fleet, clusterApi, 'fleet');
    await asksForItself(fleet, 'fleet', { hasProvider: false });
    await fleet.until('the hook is on', () => fleet.isHeld('worker-2'));
    fleet.delete('worker-1');
    fleet.delete('worker-3');
    await fleet.gone('worker-1');
    // Whose its Node is is unknown: nothing is let go before somebody corrects that.
    await fleet.seconds(60);
    fleet.change(resources.machines, 'worker-3', { spec: { providerID: 'peer://another' } });
    await fleet.gone('worker-3');
    await fleet.seconds(200);
  },
};

/** Of OpenShift: two of the control plane at once, behind a Lease that somebody has left, and a worker. */
const ofOpenShift = {
  ...asksForMore,
  beside: [...hookDefinitions, ...policyDefinitions, triggerDefinition],
  hasRules: true,
  scene(fleet: OpenShiftFleet) {
    configured(fleet, 'openshift-machine-api');
    fleet.controlPlane();
    asksFunctions(fleet);
    fleet.machineThatRuns('worker-1');
    fleet.pod('api', 'master-1', { stopSeconds: 20 });
    busy(fleet, 'node-1');
    const time = new Date(fleet.clock.now() - 600_000).toISOString().replace('Z', '000Z');
    const metadata = { name: 'phaseout-control-plane-cordon', namespace: 'openshift-machine-api' };
    const spec = { holderIdentity: 'gone', leaseDurationSeconds: 60, acquireTime: time, renewTime: time };
    fleet.create('leases.coordination.k8s.io', { metadata, spec });
  },
  async plot(fleet: OpenShiftFleet) {
    await isWatched(fleet, openShift, 'openshift-machine-api');
    await asksForItself(fleet, 'openshift-machine-api', { hasProvider: true });
    await fleet.seconds(60);
    for (const name of ['master-1', 'master-2', 'worker-1']) fleet.delete(name);
    for (const name of ['worker-1', 'master-1', 'master-2']) await fleet.gone(name);
  },
};

/** Beside OpenShift's own controllers: the same, and a Machine that gets the hook. */
const ofBesideOpenShift = {
  beside: [...hookDefinitions, ...policyDefinitions, triggerDefinition],
  env: { ...alive, ...nodeConditions, PHASEOUT_BESIDE_CONTROL_PLANES: 'true' },
  hasRules: true,
  scene(fleet: BesideOpenShiftFleet) {
    ofOpenShift.scene(fleet);
  },
  async plot(fleet: BesideOpenShiftFleet) {
    await isWatched(fleet, openShift, 'openshift-machine-api');
    await asksForItself(fleet, 'openshift-machine-api', { hasProvider: false });
    const names = ['master-1', 'master-2', 'worker-1'];
    await fleet.until('the hooks are on', () => names.every((name) => fleet.isHeld(name)));
    await fleet.seconds(60);
    for (const name of names) fleet.delete(name);
    for (const name of ['worker-1', 'master-1', 'master-2']) await fleet.gone(name);
    await fleet.seconds(200);
  },
};

/** Of v1alpha1: a Machine that comes, one that phaseout runs on, and one that goes. */
const ofOriginal = {
  ownNode: 'node-2',
  beside: hookDefinitions,
  scene(fleet: OriginalFleet) {
    configured(fleet, 'fleet');
    fleet.deletionHook('asks-nothing', { at: 'PreDrain' });
    fleet.cluster();
    fleet.machineThatRuns('worker-1');
    fleet.machineThatRuns('worker-2');
  },
  async plot(fleet: OriginalFleet) {
    await isWatched(fleet, originalApi, 'fleet');
    await asksForItself(fleet, 'fleet', { hasProvider: true });
    fleet.create(originalMachines, fleet.newMachine('worker-3'));
    fleet.delete('worker-1');
    fleet.delete('worker-2');
    await fleet.gone('worker-1');
    await fleet.until('worker-3 has a server', () => fleet.serverState('worker-3') === 'running');
    await fleet.seconds(200);
  },
};

const asked = { ...watching.env, PHASEOUT_OBSERVE_EVENTS: 'true' };
const watchingAloud = {
  configured: { ...watching.configured, observeEvents: true },
  environment: asked,
  env: asked,
};
const hook = { name: 'EtcdQuorumOperator', owner: 'clusteroperator/etcd' };

/** Only watched: a Machine that a hook holds for a while, and one on whose Node there is much. */
const ofWatchedClusterApi = {
  ...watchingAloud,
  scene(fleet: BesideFleet) {
    configured(fleet, 'fleet');
    aClusterWithItsControlPlane(fleet);
    fleet.held('worker-2');
    fleet.worker('worker-1');
    busy(fleet, 'node-1');
  },
  async plot(fleet: BesideFleet) {
    await isWatched(fleet, clusterApi, 'fleet');
    await asksForItself(fleet, 'fleet', { hasProvider: false });
    fleet.delete('worker-1');
    fleet.delete('worker-2');
    await fleet.seconds(200);
  },
};

const ofWatchedOpenShift = {
  ...watchingAloud,
  hasRules: true,
  scene(fleet: OpenShiftFleet) {
    configured(fleet, 'openshift-machine-api');
    fleet.machineThatRuns('worker-1');
    fleet.machineThatRuns('worker-2', { preDrain: [hook] });
    busy(fleet, 'node-1');
  },
  async plot(fleet: OpenShiftFleet) {
    await isWatched(fleet, openShift, 'openshift-machine-api');
    await asksForItself(fleet, 'openshift-machine-api', { hasProvider: false });
    fleet.delete('worker-1');
    fleet.delete('worker-2');
    await fleet.seconds(200);
  },
};

/** Its finalizer is gone, and somebody else's keeps it. */
const ofWatchedOriginal = {
  ...watchingAloud,
  scene(fleet: OriginalFleet) {
    configured(fleet, 'fleet');
    fleet.cluster();
    fleet.machineThatRuns('worker-1', { metadata: { finalizers: ['example.com/kept'] } });
  },
  async plot(fleet: OriginalFleet) {
    await isWatched(fleet, originalApi, 'fleet');
    await asksForItself(fleet, 'fleet', { hasProvider: false });
    fleet.delete('worker-1');
    await fleet.seconds(30);
    fleet.change(originalMachines, 'worker-1', { metadata: { finalizers: ['example.com/kept'] } });
    await fleet.seconds(200);
  },
};

/** Plays them, and answers what was asked in each. */
export async function playAll(): Promise<Record<Way, AuditEntry[]>> {
  const played = {
    capi: play(ofClusterApi, {}),
    openshift: openShiftStories.play(ofOpenShift, {}),
    v1alpha1: original.play(ofOriginal, {}),
    'capi:beside': besidePeer.play(ofBeside, {}),
    'openshift:beside': besideOpenShift.play(ofBesideOpenShift, {}),
    'capi:observe': besidePeer.play(ofWatchedClusterApi, {}),
    'openshift:observe': openShiftStories.play(ofWatchedOpenShift, {}),
    'v1alpha1:observe': original.play(ofWatchedOriginal, {}),
  };
  const also: Partial<Record<string, () => Promise<Played>>> = acting;
  const entries = Object.entries(played).map(async ([way, story]) => {
    const acted = await also[way]?.();
    return [way, [...(await story).asked, ...(acted?.asked ?? [])]] as const;
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are the ways of just that
  return Object.fromEntries(await Promise.all(entries)) as Record<Way, AuditEntry[]>;
}
