import { management } from '../../platform/clusters.ts';
import type { MachineBlueprint } from '../../scenario/blueprint.ts';
import { aMachine, aNode, aPod } from '../../scenario/draw/draft.ts';
import { hookName } from '../../scenario/draw/hooks.ts';
import { openShiftSite, originalSite } from '../../scenario/draw/usual-sites.ts';
import { type Story, told } from '../story.ts';

const stops = (seconds: number) => ({ 'local.phaseout.dev/stop-seconds': String(seconds) });

const hooks = (['pre-drain', 'pre-terminate'] as const).map((point, index) => ({
  point,
  name: hookName('openshift', point, 'backup'),
  owner: 'somebody/slow',
  leavesAt: index === 0 ? 4_000 : 12_000,
}));

/** OpenShift: a provider that fails at first, and hooks of both points. */
const withHooks = told({
  name: 'openshift',
  site: openShiftSite,
  machines: [
    aMachine(openShiftSite, {
      name: 'worker-1',
      node: 'node-1',
      hooks,
      deletedAt: [500],
      annotations: { ...stops(5), 'local.phaseout.dev/provider-fails': 'delete=failed:1,delete=retry/1:1' },
    }),
  ],
  also: { pods: [aPod({ host: management, node: 'node-1' }, { name: 'a' })] },
});

const masterLabel = { 'node-role.kubernetes.io/master': '' };

const masters: readonly MachineBlueprint[] = [1, 2, 3].map((member) =>
  aMachine(openShiftSite, {
    name: `master-${member}`,
    node: `node-master-${member}`,
    isControlPlane: true,
    deletedAt: member < 3 ? [400 + 100 * member] : [],
    annotations: stops(2),
  }),
);

/** OpenShift: two of three masters are deleted together; their Nodes are drained one after the other. */
const twoMasters = told({
  name: 'openshift-masters',
  site: openShiftSite,
  machines: masters,
  also: {
    nodes: masters.map(({ node = '', providerID }) =>
      aNode({ host: management, name: node, providerID, labels: masterLabel }),
    ),
    pods: [1, 2].map((member) =>
      aPod({ host: management, node: `node-master-${member}` }, { name: `etcd-${member}` }),
    ),
  },
  instances: 2,
});

const originalControlPlane = [1, 2].map((member) =>
  aMachine(originalSite, { name: `blue-cp-${member}`, isControlPlane: true }),
);

const anOriginal = told({
  name: 'v1alpha1',
  site: originalSite,
  machines: [
    ...originalControlPlane,
    aMachine(originalSite, { name: 'worker-1', node: 'node-1', deletedAt: [500], annotations: stops(5) }),
  ],
  also: { pods: [aPod({ host: 'blue', node: 'node-1' }, { name: 'a' })] },
});

/** No controller has seen to it when it comes. */
const newcomer = aMachine(originalSite, { name: 'worker-1', deletedAt: [15_000] });

/** v1alpha1: phaseout sees to a Machine from its creation on. */
const aLife = told({
  name: 'v1alpha1-life',
  site: originalSite,
  machines: originalControlPlane,
  newcomers: [newcomer],
  deeds: [
    {
      at: 500,
      run(world) {
        const { resource, namespace, name, cluster = '' } = newcomer;
        world.say('a user', `makes the Machine ${namespace}/${name}`);
        world.management.create(resource, {
          apiVersion: 'cluster.k8s.io/v1alpha1',
          kind: 'Machine',
          metadata: { namespace, name, labels: { 'cluster.k8s.io/cluster-name': cluster } },
          spec: { metadata: {}, providerSpec: { value: { size: 'small' } }, versions: { kubelet: '1.15.3' } },
        });
      },
    },
  ],
});

/** Deletions of Machines whose servers a provider keeps. */
export const providedStories: readonly Story[] = [withHooks, twoMasters, anOriginal, aLife];
