import type { World } from '../../../world.ts';
import type { MachineBlueprint } from '../../blueprint.ts';
import { aMachine, type Draft } from '../../draw/draft.ts';
import { blueSite } from '../../draw/usual-sites.ts';
import { type HeldCases, hook } from './held.ts';

const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup';
const preTerminate = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/backup';

const runOn =
  (ownNode: string) =>
  (world: World): void => {
    world.config = { ...world.config, ownNode };
  };

/** Machines of Cluster API with this label alone. */
const lookAfter =
  (watchFilter: string) =>
  (world: World): void => {
    world.config = { ...world.config, watchFilter };
  };

/** `worker` refers to what another one controls, which is deleted, or not. */
const copied =
  (original: Partial<MachineBlueprint> = {}) =>
  (draft: Draft): void =>
    void draft.machines.unshift(aMachine(blueSite, { name: 'original', ...original }));
const copy = { copyOf: 'original', infrastructure: undefined, bootstrap: undefined };
const deleteOriginal = ({ management }: World): void =>
  management.remove('machines.cluster.x-k8s.io', { metadata: { namespace: 'fleet', name: 'original' } });

/** What holds a Machine by its own word, or its Cluster’s. */
export const machineCases: HeldCases = {
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
  'a Machine of v1alpha1 that phaseout runs on': {
    api: 'v1alpha1',
    isAtHome: true,
    phase: 'infrastructure',
    afterwards: runOn('node-1'),
    held: 'own',
  },
  'a Machine of v1alpha1 beside one that phaseout runs on': {
    api: 'v1alpha1',
    isAtHome: true,
    phase: 'infrastructure',
    afterwards: runOn('node-2'),
  },
  'a Machine of Cluster API that phaseout runs on': {
    isAtHome: true,
    phase: 'infrastructure',
    afterwards: runOn('node-1'),
  },
  'a Machine that was given to somebody else': {
    phase: 'drain',
    afterwards: lookAfter('ours'),
    held: 'given away',
  },
  'a Machine of v1alpha1, which nobody can give away': {
    api: 'v1alpha1',
    phase: 'infrastructure',
    afterwards: lookAfter('ours'),
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
    afterwards: (world) =>
      world.management.remove('clusters.cluster.x-k8s.io', {
        metadata: { namespace: 'fleet', name: 'blue' },
      }),
    held: 'cluster',
  },
  'a Cluster of v1alpha1 that is gone': {
    api: 'v1alpha1',
    phase: 'infrastructure',
    afterwards: (world) =>
      world.management.remove('clusters.cluster.k8s.io', { metadata: { namespace: 'fleet', name: 'blue' } }),
    held: 'cluster',
  },
  'a copy of a Machine that lives': {
    phase: 'infrastructure',
    machine: copy,
    draw: copied(),
    held: 'copy',
  },
  'a copy of a Machine that lives, after the infrastructure is gone': {
    phase: 'bootstrap',
    machine: copy,
    draw: copied({ infrastructure: undefined }),
    held: 'copy',
  },
  'a copy of a Machine that lives, without a Node': {
    phase: 'pre-drain',
    machine: { ...copy, node: undefined },
    draw: copied(),
    held: 'copy',
  },
  'a copy of a Machine that lives, with a Node': {
    phase: 'pre-drain',
    machine: copy,
    draw: copied(),
  },
  'a copy of a Machine that goes': {
    phase: 'infrastructure',
    machine: copy,
    draw: copied(),
    afterwards: deleteOriginal,
  },
  'a copy of a Machine that is held itself': {
    phase: 'infrastructure',
    machine: copy,
    draw: copied({ annotations: { 'cluster.x-k8s.io/paused': '' } }),
    afterwards: deleteOriginal,
    held: 'copy',
  },
  'a Machine of OpenShift that another API rules': {
    api: 'openshift',
    phase: 'drain',
    afterwards: (world) =>
      void world.management.patch(
        'machines.machine.openshift.io',
        { metadata: { namespace: 'openshift-machine-api', name: 'worker' } },
        { spec: { authoritativeAPI: 'ClusterAPI' } },
      ),
    held: 'paused',
  },
};
