import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';
import type { Config } from '../../../../shared/runtime/config.ts';
import { hooksOf, isClusterApi, isOpenShift, isOriginal } from '../../../stories/stage/apis.ts';
import { conditionIn, conditionsOf, isOfItself } from '../../../stories/stage/told-machine.ts';
import { management } from '../../platform/clusters.ts';
import { isOurName } from '../../scenario/beside.ts';
import type { MachinePlan } from '../../scenario/model.ts';
import type { View } from './past.ts';

/** What the rules of the Machine APIs say of a Machine, read naively; phaseout's own reading is not asked. */
export type HookPoint = 'pre-drain' | 'pre-terminate';

export const checkpointKey = 'phaseout.dev/checkpoint';
/** Which functions of DeletionHooks are asked. */
export const hooksKey = 'phaseout.dev/hooks';

export const finalizerOf: Record<MachinePlan['api'], string> = {
  capi: 'machine.cluster.x-k8s.io',
  openshift: 'machine.machine.openshift.io',
  v1alpha1: 'machine.cluster.k8s.io',
};

/** Of all Machines of a scenario, whatever their API. */
export const keyOf = ({
  resource,
  namespace,
  name,
}: Pick<MachinePlan, 'resource' | 'namespace' | 'name'>): string => `${resource} ${namespace}/${name}`;

/** As stories name it. */
export const titleOf = ({ namespace, name }: Pick<MachinePlan, 'namespace' | 'name'>): string =>
  `Machine ${namespace}/${name}`;

export const machineIn = (view: View, { resource, namespace, name }: MachinePlan): KubeObject | undefined =>
  view.get(management, resource, namespace, name);

export const isDeleting = (machine: KubeObject): boolean => machine.metadata.deletionTimestamp !== undefined;

const hasAnnotation = ({ metadata }: KubeObject, key: string): boolean =>
  Object.keys(metadata.annotations ?? {}).includes(key);

const nodeNameIn = (machine: KubeObject): string | undefined => textAt(machine, 'status', 'nodeRef', 'name');

/** The names of the hooks that hold us at a point. Ours is left out, and so are hooks that may go after it. */
export function hooksAt(
  machine: KubeObject,
  point: HookPoint,
  config?: Pick<Config, 'mode' | 'hooksAfter'>,
): string[] {
  const names = allHooksAt(machine, point);
  if (point === 'pre-terminate' || config === undefined) return names;
  const api = isOpenShift(machine) ? 'openshift' : 'capi';
  const after = config.mode[api] === 'beside' ? config.hooksAfter : [];
  return names.filter((name) => !after.some((each) => name === each || name.endsWith(`/${each}`)));
}

function allHooksAt(machine: KubeObject, point: HookPoint): string[] {
  if (isClusterApi(machine)) {
    const prefix = `${point}.delete.hook.machine.cluster.x-k8s.io`;
    return Object.keys(machine.metadata.annotations ?? {}).filter(
      (key) => key.startsWith(prefix) && !isOurName(key),
    );
  }
  if (!isOpenShift(machine)) return [];
  if (point === 'pre-terminate') return hooksOf(machine, 'preTerminate');
  const isBypassed = isDrainExcluded(machine) || nodeNameIn(machine) === undefined || saysDrained(machine);
  return isBypassed ? [] : hooksOf(machine, 'preDrain').filter((name) => !isOurName(name));
}

export const isDrainExcluded = (machine: KubeObject): boolean =>
  hasAnnotation(machine, 'machine.cluster.x-k8s.io/exclude-node-draining') ||
  hasAnnotation(machine, 'machine.openshift.io/exclude-node-draining');

/** Beside Cluster API's own controller phaseout may drain it all the same. */
export const isDrainUnwanted = (
  machine: KubeObject,
  { mode, besideExcluded }: Pick<Config, 'mode' | 'besideExcluded'>,
): boolean =>
  isDrainExcluded(machine) &&
  !(isClusterApi(machine) && mode.capi === 'beside' && besideExcluded === 'drain');

export const isVolumeWaitExcluded = (machine: KubeObject): boolean =>
  hasAnnotation(machine, 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach');

/** OpenShift's own condition, with any author. */
export function saysDrained(machine: KubeObject): boolean {
  const said = conditionIn(conditionsOf(machine), 'Drained');
  return textAt(said, 'status') === 'True' && isOfItself(machine, textAt(said, 'lastTransitionTime'));
}

export const clusterOf = (view: View, machine: KubeObject): KubeObject | undefined => {
  const { namespace, labels = {} } = machine.metadata;
  if (isClusterApi(machine))
    return view.get(
      management,
      'clusters.cluster.x-k8s.io',
      namespace,
      textAt(machine, 'spec', 'clusterName') ?? '',
    );
  const name = isOpenShift(machine) ? undefined : labels['cluster.k8s.io/cluster-name'];
  return name === undefined ? undefined : view.get(management, 'clusters.cluster.k8s.io', namespace, name);
};

/** The original API leaves one that lives as it is, where the Cluster that it names is gone. */
export const lacksItsCluster = (view: View, machine: KubeObject): boolean =>
  machine.metadata.labels?.['cluster.k8s.io/cluster-name'] !== undefined &&
  isOriginal(machine) &&
  clusterOf(view, machine) === undefined;

/** Cluster API and OpenShift: whether the Node must not be touched. */
export const isNodeForbidden = (view: View, machine: KubeObject): boolean =>
  nodeNameIn(machine) === undefined || whyClusterEnds(view, machine) !== undefined;

/** Cluster API: the cluster or its control plane is being deleted, or its control plane has no member left. */
export function whyClusterEnds(view: View, machine: KubeObject): string | undefined {
  if (!isClusterApi(machine)) return undefined;
  const cluster = clusterOf(view, machine);
  if (cluster === undefined) return undefined;
  if (isDeleting(cluster)) return 'its Cluster is being deleted';
  const controlPlane = referredBy(view, cluster, recordAt(cluster, 'spec', 'controlPlaneRef'));
  if (controlPlane !== undefined && isDeleting(controlPlane)) return 'its control plane is being deleted';
  if (recordAt(controlPlane, 'status')['externalManagedControlPlane'] === true) return undefined;
  return hasMemberThatStays(view, machine, cluster) ? undefined : 'no control plane Machine is to stay';
}

/** Beside the one that asks, which does so while it is being deleted, however it was at that time. */
function hasMemberThatStays(view: View, machine: KubeObject, cluster: KubeObject): boolean {
  const { namespace, uid: own } = machine.metadata;
  return view.list(management, 'machines.cluster.x-k8s.io').some(({ metadata }) => {
    const { labels = {}, deletionTimestamp, uid } = metadata;
    const isMember =
      labels['cluster.x-k8s.io/cluster-name'] === cluster.metadata.name &&
      labels['cluster.x-k8s.io/control-plane'] !== undefined;
    return isMember && metadata.namespace === namespace && uid !== own && deletionTimestamp === undefined;
  });
}

/** `awsmachines.infrastructure.cluster.x-k8s.io`; empty where it refers to none. */
export function resourceOfReference(reference: Readonly<Record<string, unknown>>): string {
  const { kind, apiGroup, apiVersion } = reference;
  if (typeof kind !== 'string') return '';
  const group = typeof apiGroup === 'string' ? apiGroup : String(apiVersion).split('/')[0];
  return `${kind.toLowerCase()}s.${group}`;
}

/** Where what a Machine refers to is kept; its name is empty where it refers to nothing. */
export const placeReferred = ({ metadata }: KubeObject, reference: Readonly<Record<string, unknown>>) => ({
  resource: resourceOfReference(reference),
  namespace: textAt(reference, 'namespace') ?? metadata.namespace ?? '',
  name: textAt(reference, 'name') ?? '',
});

export function referredBy(
  view: View,
  machine: KubeObject,
  reference: Readonly<Record<string, unknown>>,
): KubeObject | undefined {
  const { resource, namespace, name } = placeReferred(machine, reference);
  return name === '' ? undefined : view.get(management, resource, namespace, name);
}

export const infrastructureRef = (machine: KubeObject) => recordAt(machine, 'spec', 'infrastructureRef');
export const bootstrapRef = (machine: KubeObject) => recordAt(machine, 'spec', 'bootstrap', 'configRef');

/**
 * Whether the Machine and the Node disagree about the Node's owner. They name a server each, or the Machine names a
 * UID.
 */
export function isForeign(machine: KubeObject, node: KubeObject): boolean {
  const own = textAt(machine, 'spec', 'providerID') || undefined;
  const other = textAt(node, 'spec', 'providerID') || undefined;
  const named = textAt(machine, 'status', 'nodeRef', 'uid');
  if (named !== undefined && named === node.metadata.uid) return false;
  if (own !== undefined && other !== undefined) return own !== other;
  return named !== undefined;
}

/** Phases of a Machine of its API that come with objects of its own. */
export const phasesOfObjects = (machine: KubeObject): string[] =>
  isClusterApi(machine) && textAt(bootstrapRef(machine), 'name') !== undefined
    ? ['infrastructure', 'bootstrap']
    : ['infrastructure'];
