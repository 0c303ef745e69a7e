/** In which ways the three Machine APIs differ, or might: each row is told of by stories, as `group/title`. */
export interface Row {
  feature: string;
  capi: Cell;
  openshift: Cell;
  v1alpha1: Cell;
}

/** Titles; or why there is nothing to tell. */
export type Cell = readonly string[] | { why: string };

const unknown = { why: 'the API knows nothing of the kind' };
const foreign = ['v1alpha1/deletion/what other APIs know of means nothing here'];

export const matrix: readonly Row[] = [
  {
    feature: 'finalizer',
    capi: ['worker/a plain worker with 20 Pods', 'cluster/finalizers of others'],
    openshift: ['openshift/deletion/a worker with Pods', 'openshift/deletion/finalizers of others'],
    v1alpha1: [
      'v1alpha1/deletion/a worker with Pods',
      'v1alpha1/deletion/finalizers of others',
      'v1alpha1/deletion/a Machine that Kubernetes holds because of what it owns',
      'v1alpha1/living/a new Machine gets its finalizers, its owner and its server',
    ],
  },
  {
    feature: 'cluster link',
    capi: ['cluster/a Cluster that is being deleted', 'cluster/a Cluster object that is missing'],
    openshift: [
      'openshift/deletion/a Machine without the label of its cluster',
      'openshift/deletion/a Machine without a providerSpec',
    ],
    v1alpha1: [
      'v1alpha1/deletion/a Machine without the label of a cluster',
      'v1alpha1/deletion/a Machine whose Cluster is being deleted',
      'v1alpha1/living/a new Machine of no cluster',
    ],
  },
  {
    feature: 'pause',
    capi: [
      'hooks/paused before anything happens',
      'hooks/paused in mid-drain, by the Machine and by the Cluster',
    ],
    openshift: [
      'openshift/deletion/a Machine that Cluster API has authority over',
      'openshift/deletion/authority that is taken away in mid-drain and comes back',
      'openshift/deletion/authority that only the spec tells of yet',
    ],
    v1alpha1: foreign,
  },
  {
    feature: 'watch filter',
    capi: ['cluster/a Machine that a watch filter leaves to others, until it is labelled'],
    openshift: unknown,
    v1alpha1: foreign,
  },
  {
    feature: 'pre-drain hook',
    capi: ['hooks/two pre-drain hooks and then one'],
    openshift: ['openshift/hooks/two preDrain hooks, and then one'],
    v1alpha1: foreign,
  },
  {
    feature: 'pre-terminate hook',
    capi: ['hooks/pre-terminate hooks'],
    openshift: ['openshift/hooks/two preTerminate hooks, and then one'],
    v1alpha1: foreign,
  },
  {
    feature: 'hook added after deletion',
    capi: ['hooks/hooks that come late, while the infrastructure goes'],
    openshift: [
      'openshift/hooks/hooks that come late are refused',
      'openshift/hooks/a preTerminate hook that comes late where nothing refuses it',
      'openshift/hooks/a preDrain hook that comes after the drain holds nothing',
    ],
    v1alpha1: unknown,
  },
  {
    feature: 'pre-drain hook with drain excluded',
    capi: ['hooks/a pre-drain hook holds a Machine that is excluded from the drain, too'],
    openshift: [
      'openshift/hooks/a preDrain hook on a Machine that is excluded from the drain',
      'openshift/hooks/a preDrain hook whose Machine is excluded from the drain later',
    ],
    v1alpha1: unknown,
  },
  {
    feature: 'pre-drain hook without nodeRef',
    capi: ['node/a Machine that never had a Node'],
    openshift: ['openshift/hooks/a preDrain hook on a Machine without a Node'],
    v1alpha1: unknown,
  },
  {
    feature: 'skip drain',
    capi: ['drain/a Machine that is excluded from the drain', 'drain/an exclusion that comes in mid-drain'],
    openshift: [
      'openshift/drain/a Machine that is excluded, whatever the annotation says',
      'openshift/drain/an exclusion that comes in mid-drain',
    ],
    v1alpha1: foreign,
  },
  {
    feature: 'drain timeout',
    capi: [
      'drain/a Pod that does not stop, until the drain takes too long',
      'v1beta1/the timeouts of v1beta1',
    ],
    openshift: ['openshift/drain/a budget that never allows any holds the Machine for ever'],
    v1alpha1: unknown,
  },
  {
    feature: 'drain style',
    capi: ['drain/a budget of one over ten Pods', 'drain/a namespace that is terminating'],
    openshift: [
      'openshift/drain/a Pod that takes its time makes the drain fail for a while',
      'openshift/drain/a Pod that is gone before an attempt would be over',
      'openshift/drain/Pods that no drain touches',
      'openshift/drain/Pods that cannot be listed for a while',
      'openshift/drain/a Node that may not be cordoned for a while',
    ],
    v1alpha1: ['v1alpha1/deletion/a worker with Pods'],
  },
  {
    feature: 'drain rules, order, label',
    capi: ['drain/Pods of three orders', 'drain/Pods that no drain touches'],
    openshift: [
      'openshift/drain/orders, where MachineDrainRules are served',
      'openshift/drain/an invalid rule, where MachineDrainRules are served',
      'openshift/drain/drain labels mean nothing where MachineDrainRules are not served',
    ],
    v1alpha1: unknown,
  },
  {
    feature: 'unreachable node',
    capi: ['drain/a Node that is unreachable'],
    openshift: ['openshift/drain/a Node that is unreachable'],
    v1alpha1: ['v1alpha1/node/a Node that is unreachable'],
  },
  {
    feature: 'node object gone',
    capi: ['node/a Node that is gone'],
    openshift: ['openshift/drain/a Node that is gone'],
    v1alpha1: ['v1alpha1/node/a Node that is gone'],
  },
  {
    feature: 'wait for volumes',
    capi: [
      'volumes/a volume that comes off after its Pod',
      'volumes/a Machine that is excluded from waiting for volumes',
    ],
    openshift: ['openshift/drain/a volume that is still attached holds nothing'],
    v1alpha1: foreign,
  },
  {
    feature: 'terminate instance',
    capi: [
      'cluster/infrastructure that never goes',
      'cluster/infrastructure that may not be deleted for a while',
    ],
    openshift: [
      'openshift/server/a server that takes its time',
      'openshift/server/a delete that fails for a while',
      'openshift/server/a provider that cannot tell whether the server is there',
      'openshift/server/a provider that nobody can reach for a while',
      'openshift/server/an invalid configuration, of a Machine that had an address',
      'openshift/server/an invalid configuration, of a Machine that never had an address',
    ],
    v1alpha1: [
      'v1alpha1/server/a delete that is accepted ends the wait, whether the server is there or not',
      'v1alpha1/server/a delete that fails for a while',
      'v1alpha1/server/an invalid configuration is no excuse here',
      'v1alpha1/server/a provider that nobody can reach for a while',
    ],
  },
  {
    feature: 'bootstrap object',
    capi: ['cluster/no bootstrap config', 'cluster/infrastructure and bootstrap that are gone already'],
    openshift: unknown,
    v1alpha1: unknown,
  },
  {
    feature: 'Node deletion',
    capi: [
      'node/a Node that cannot be deleted, until that takes too long',
      'node/a Node that cannot be deleted for a while, without a timeout',
    ],
    openshift: [
      'openshift/node/a Node that cannot be deleted for a long time',
      'openshift/node/a Node that has come again under the same name',
      'openshift/drain/a nodeRef that appears after the drain was skipped',
    ],
    v1alpha1: [
      'v1alpha1/node/a Node that cannot be deleted for a while',
      'v1alpha1/node/a kubeconfig Secret that is missing leaves the Node',
      'v1alpha1/node/a Machine that has no Node',
    ],
  },
  {
    feature: 'last control plane / no control plane',
    capi: ['cluster/the last control plane member'],
    openshift: [
      'openshift/control-plane/the last control plane Machine goes like any other',
      'openshift/control-plane/two control plane Machines that are deleted at once',
      'openshift/control-plane/a control plane Node beside one that somebody has cordoned',
      'openshift/control-plane/a control plane Node that is cordoned itself',
    ],
    v1alpha1: [
      'v1alpha1/node/the last control plane Machine leaves its Node',
      'v1alpha1/node/a control plane Machine that is being deleted counts',
      'v1alpha1/node/a cluster without control plane Machines keeps its Nodes',
    ],
  },
  {
    feature: 'external control plane',
    capi: ['cluster/a control plane that is managed elsewhere'],
    openshift: unknown,
    v1alpha1: unknown,
  },
  {
    feature: 'own machine protected',
    capi: unknown,
    openshift: unknown,
    v1alpha1: [
      'v1alpha1/deletion/the Machine that phaseout runs on',
      'v1alpha1/deletion/a Machine whose Node has the name of the one that phaseout runs on, and is another',
      'v1alpha1/deletion/the own Node cannot be read for a while',
    ],
  },
  {
    feature: 'progress conditions',
    capi: ['worker/a plain worker with 20 Pods', 'hooks/pre-terminate hooks'],
    openshift: [
      'openshift/hooks/two preDrain hooks, and then one',
      'openshift/hooks/two preTerminate hooks, and then one',
      'openshift/drain/a Pod that takes its time makes the drain fail for a while',
    ],
    v1alpha1: ['v1alpha1/deletion/a worker with Pods'],
  },
  {
    feature: 'phase',
    capi: ['worker/a plain worker with 20 Pods'],
    openshift: ['openshift/deletion/a worker with Pods', 'openshift/deletion/a Machine that had failed'],
    v1alpha1: ['v1alpha1/deletion/a worker with Pods'],
  },
  {
    feature: 'start times',
    capi: ['drain/a Pod that does not stop, until the drain takes too long'],
    openshift: unknown,
    v1alpha1: unknown,
  },
  {
    feature: 'events',
    capi: ['worker/a plain worker with 20 Pods'],
    openshift: [
      'openshift/deletion/a worker with Pods',
      'openshift/hooks/two preDrain hooks, and then one',
      'openshift/deletion/a Machine without the label of its cluster',
      'openshift/drain/a Machine that has no Node',
    ],
    v1alpha1: ['v1alpha1/server/a delete that fails for a while'],
  },
  {
    feature: 'metrics',
    capi: { why: 'phaseout keeps none: what it does is told by events on the bus' },
    openshift: { why: 'phaseout keeps none: what it does is told by events on the bus' },
    v1alpha1: unknown,
  },
  {
    feature: 'scale-down mark',
    capi: ['sets/a Machine that is marked goes first when its set is scaled down'],
    openshift: ['openshift/sets/a Machine that is marked goes first when its set is scaled down'],
    v1alpha1: ['v1alpha1/sets/a Machine that is marked goes first when its set is scaled down'],
  },
  {
    feature: 'delete policy',
    capi: ['sets/the oldest Machine goes first where the order says so'],
    openshift: [
      'openshift/sets/the newest Machine goes first where the policy says so',
      'openshift/sets/a Machine of a set is replaced at once',
    ],
    v1alpha1: [
      'v1alpha1/sets/the newest Machine goes first where the policy says so',
      'v1alpha1/sets/a Machine of a set is replaced at once',
    ],
  },
  {
    feature: 'etcd protection',
    capi: ['hooks/the hook by which a KubeadmControlPlane keeps the quorum of etcd'],
    openshift: [
      'openshift/hooks/the quorum of etcd is kept until a fourth member has joined',
      'openshift/sets/the operator of etcd lets a control plane Machine go when a fourth member has joined',
    ],
    v1alpha1: unknown,
  },
  {
    feature: 'delayed retry from provider',
    capi: unknown,
    openshift: ['openshift/server/a provider that asks for time before it can delete'],
    v1alpha1: [
      'v1alpha1/server/a provider that asks for time before it can delete',
      'v1alpha1/living/a create that fails twice, and is asked for time once',
    ],
  },
  {
    feature: 'missing Cluster object',
    capi: ['cluster/a Cluster object that is missing'],
    openshift: unknown,
    v1alpha1: [
      'v1alpha1/deletion/a Machine whose Cluster is missing, until it comes',
      'v1alpha1/living/a new Machine whose Cluster is missing, until it comes',
    ],
  },
];
