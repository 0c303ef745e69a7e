import { resources } from '../../../../stories/stage/fleet.ts';
import { management } from '../../../platform/clusters.ts';
import type { World } from '../../../world.ts';
import { attach } from '../../deeds/volumes.ts';
import { aNode, aReferred, type Draft } from '../../draw/draft.ts';
import { type HeldCases, neverStops } from './held.ts';

const stopped = (group: 'infrastructure' | 'bootstrap') => (world: World) =>
  world.management.remove(resources[group], { metadata: { namespace: 'fleet', name: 'worker' } });
const volume = (stuckOn?: string) => (draft: Draft) =>
  void draft.volumes.push({ host: 'blue', namespace: 'shop', name: 'data', stuckOn });
const otherMaster = (draft: Draft): void => {
  const labels = { 'node-role.kubernetes.io/master': '' };
  draft.nodes = draft.nodes.map((node) => ({ ...node, labels }));
  draft.nodes.push(aNode({ host: management, name: 'node-2', labels }));
};
const cordonOther = (world: World) =>
  void world.management.patch('nodes', { metadata: { name: 'node-2' } }, { spec: { unschedulable: true } });

/** What holds a Machine whose Node is drained. */
export const endCases: HeldCases = {
  'another Node of OpenShift’s control plane that stays cordoned': {
    api: 'openshift',
    phase: 'drain',
    draw: otherMaster,
    afterwards: cordonOther,
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
  'an attachment of no volume that never comes off': {
    phase: 'volume-detach',
    drained: 'done',
    afterwards: (world) => attach(world.cluster('blue'), { name: 'lone', node: 'node-1', attached: true }),
    held: 'volume',
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
    afterwards: stopped('infrastructure'),
    held: 'infrastructure',
  },
  'infrastructure with somebody else’s finalizer': {
    phase: 'infrastructure',
    machine: { infrastructure: aReferred({ finalizers: ['network.example/address'] }) },
    afterwards: stopped('infrastructure'),
    held: 'infrastructure',
  },
  'infrastructure that takes its time': {
    phase: 'infrastructure',
    machine: { infrastructure: aReferred({ stopSeconds: 600 }) },
    afterwards: stopped('infrastructure'),
  },
  'a bootstrap object with somebody else’s finalizer': {
    phase: 'bootstrap',
    machine: { bootstrap: aReferred({ finalizers: ['secrets.example/keys'] }) },
    afterwards: stopped('bootstrap'),
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
    afterwards: (world) => world.cluster('blue').remove('nodes', { metadata: { name: 'node-1' } }),
  },
  'somebody else’s finalizer, after our own is off': {
    phase: 'finalize',
    machine: { finalizers: ['fleet.example/audit'] },
    afterwards: (world) =>
      void world.management.patch(
        'machines.cluster.x-k8s.io',
        { metadata: { namespace: 'fleet', name: 'worker' } },
        { metadata: { finalizers: ['fleet.example/audit'] } },
      ),
    held: 'finalizer',
  },
  'somebody else’s finalizer on a Machine that OpenShift’s other API rules by now': {
    api: 'openshift',
    phase: 'finalize',
    machine: { finalizers: ['fleet.example/audit'] },
    afterwards: (world) =>
      void world.management.patch(
        'machines.machine.openshift.io',
        { metadata: { namespace: 'openshift-machine-api', name: 'worker' } },
        {
          metadata: { finalizers: ['fleet.example/audit'] },
          spec: { authoritativeAPI: 'ClusterAPI' },
        },
      ),
    held: 'finalizer',
  },
};
