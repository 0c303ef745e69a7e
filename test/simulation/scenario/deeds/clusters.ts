import { at } from '../../../../infra/local/kubernetes/json.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/cluster.ts';
import { resources } from '../../../stories/stage/fleet.ts';
import type { Fault, FaultSetting } from '../../faults/fault.ts';
import { secretFor } from '../build/build.ts';
import { clusterNameOf, clusterResource, isGoing } from '../blockers/case.ts';
import { type DeedSetting, aMachineOf, aNodeOf, deed, nameOf, type Target, later } from './deed.ts';
import { forAWhile } from './pauses.ts';

interface OfCluster extends Target {
  resource: string;
  cluster: KubeObject;
}

function aClusterOf(
  setting: FaultSetting,
  fits: (target: Target) => boolean = () => true,
): OfCluster | undefined {
  const find = ({ plan, machine }: Target): KubeObject | undefined =>
    plan.api === 'openshift'
      ? undefined
      : setting.world.management.get(clusterResource(plan), plan.namespace, clusterNameOf(plan, machine));
  const target = aMachineOf(setting, (one) => fits(one) && find(one) !== undefined);
  const cluster = target && find(target);
  if (target === undefined || cluster === undefined) return undefined;
  return { ...target, cluster, resource: clusterResource(target.plan) };
}

function pause(setting: DeedSetting): string | undefined {
  const { world } = setting;
  const found = aClusterOf(setting, ({ plan }) => plan.api === 'capi');
  if (found === undefined || at(found.cluster, 'spec', 'paused') === true) return undefined;
  const { resource, cluster } = found;
  const { namespace, name } = cluster.metadata;
  world.management.patch(resource, cluster, { spec: { paused: true } });
  forAWhile(setting, () => {
    const current = world.management.get(resource, namespace, name);
    if (current === undefined) return;
    world.management.patch(resource, current, { spec: { paused: false } });
    world.say('a user', `lets the Cluster ${nameOf(cluster)} go on`);
  });
  return `pauses the Cluster ${nameOf(cluster)}`;
}

/** With a finalizer, as Cluster API's own controller keeps one on it until all of its Machines are gone. */
function remove(setting: DeedSetting): string | undefined {
  const { world, random } = setting;
  const found = aClusterOf(setting);
  if (found === undefined || isGoing(found.cluster)) return undefined;
  const { resource, cluster } = found;
  const stays = random.chance(0.7);
  if (stays)
    world.management.patch(resource, cluster, { metadata: { finalizers: ['cluster.cluster.x-k8s.io'] } });
  world.management.remove(resource, cluster);
  return `deletes the Cluster ${nameOf(cluster)}${stays ? '' : ', which is gone at once'}`;
}

/** As when a Cluster goes, of which nobody has heard yet. */
function removeControlPlane(setting: DeedSetting): string | undefined {
  const { management } = setting.world;
  const controlPlaneOf = ({ plan, machine }: Target): KubeObject | undefined =>
    management.get(resources.controlPlanes, plan.namespace, clusterNameOf(plan, machine));
  const target = aMachineOf(setting, (one) => one.plan.api === 'capi' && controlPlaneOf(one) !== undefined);
  const controlPlane = target && controlPlaneOf(target);
  if (controlPlane === undefined || isGoing(controlPlane)) return undefined;
  const metadata = { finalizers: ['controlplane.example/members'] };
  management.patch(resources.controlPlanes, controlPlane, { metadata });
  management.remove(resources.controlPlanes, controlPlane);
  return `deletes the control plane ${nameOf(controlPlane)}`;
}

const secrets = 'secrets';
/** What stands in the Secret for a while. */
const replacements = ['nonsense', '', null] as const;

/** Renewed, or broken or gone for a while. */
function replaceKubeconfig(setting: DeedSetting): string | undefined {
  const { world, random } = setting;
  const found = aClusterOf(setting);
  if (found === undefined) return undefined;
  const { namespace = '', name } = found.cluster.metadata;
  const right = secretFor({ namespace, name, host: found.plan.host });
  const secret = world.management.get(secrets, namespace, right.metadata.name);
  if (secret === undefined) return undefined;
  if (random.chance(0.4)) {
    const metadata = { labels: { renewed: String(world.now()) } };
    world.management.patch(secrets, secret, { data: right.data, metadata });
    return `renews the Secret ${nameOf(secret)}`;
  }
  const text = random.oneOf(replacements);
  if (text === null) world.management.remove(secrets, secret);
  else world.management.patch(secrets, secret, { data: { value: Buffer.from(text).toString('base64') } });
  later(setting, random.between(1_000, 20_000), () => mendSecret(setting, right));
  return text === null
    ? `deletes the Secret ${nameOf(secret)}`
    : `writes "${text}" into the Secret ${nameOf(secret)}`;
}

function mendSecret({ world }: DeedSetting, right: ReturnType<typeof secretFor>): void {
  const { namespace, name } = right.metadata;
  const found = world.management.get(secrets, namespace, name);
  if (found === undefined) world.management.create(secrets, right);
  else world.management.patch(secrets, found, { data: right.data });
  world.say('a user', `mends the Secret ${namespace}/${name}`);
}

/** What users do with clusters as a whole. */
export const clusterDeeds: readonly Fault[] = [
  deed({ name: 'cluster-paused', about: 'Clusters are paused, and most of them go on later.', run: pause }),
  deed({
    name: 'cluster-deleted',
    about: 'A Cluster is deleted, with a finalizer or without one.',
    most: 1,
    run: remove,
  }),
  deed({
    name: 'control-plane-deleted',
    about: 'The control plane of a Cluster is deleted, and the Cluster is not.',
    most: 1,
    run: removeControlPlane,
  }),
  deed({
    name: 'kubeconfig-replaced',
    about: 'The Secret that leads to a cluster is renewed, or broken or gone for a while.',
    run: replaceKubeconfig,
  }),
  deed({
    name: 'namespace-deleted',
    about: 'A namespace of Pods is deleted.',
    most: 1,
    run(setting) {
      const where = aNodeOf(setting);
      const name = setting.random.oneOf(['shop', 'bank']);
      const cluster = where && setting.world.cluster(where.plan.host);
      const namespace = cluster?.get('namespaces', undefined, name);
      if (where === undefined || namespace === undefined || isGoing(namespace)) return undefined;
      cluster?.remove('namespaces', namespace);
      return `deletes the namespace ${name} of ${where.plan.host}`;
    },
  }),
];
