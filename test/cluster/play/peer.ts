import { keyOf } from '../../../infra/cli/deploy/site.ts';
import type { Resource } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { nodes } from '../../../shared/kubernetes/resources.ts';
import { inCapiVersion, resources } from '../kinds.ts';
import type { CapiVersion } from '../machine-apis.ts';
import type { Site } from '../site.ts';
import { detached, drained, type Pass, type Step } from './peer-node.ts';

const passMilliseconds = 1_000;

const finalizer = 'machine.cluster.x-k8s.io';
const controlPlaneLabel = 'cluster.x-k8s.io/control-plane';

/**
 * Plays the controller of Cluster API's Machines from the point where no pre-drain hook holds them. It writes no
 * status, and knows no time limits and no MachineDrainRules.
 */
export function createPeer(site: Site, capi: CapiVersion): (labelSelector: string) => Promise<void> {
  const { kubernetes, clock } = site;
  const machines = inCapiVersion(resources.capiMachines, capi);
  const clusters = inCapiVersion(resources.capiClusters, capi);
  let last = clock.now();
  return async (labelSelector) => {
    if (clock.now() - last < passMilliseconds) return;
    last = clock.now();
    const [all, parents] = await Promise.all(
      [machines, clusters].map(
        async (resource) => (await kubernetes.list(resource, { labelSelector })).items,
      ),
    );
    const going = (all ?? []).filter(isOurs);
    await Promise.all(
      going.map(async (machine) => {
        const cluster = parents?.find((one) => isOf(machine, one));
        if (cluster === undefined || isPaused(machine, cluster)) return;
        const isNodeMinded = all?.some((one) => isStayingMember(one, cluster)) === true && isLiving(cluster);
        await carryOn({ site, machines, machine, nodeName: nodeOf(machine) }, isNodeMinded);
      }),
    );
  };
}

const isLiving = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp === undefined;

const isOurs = (machine: KubeObject): boolean =>
  !isLiving(machine) && machine.metadata.finalizers?.includes(finalizer) === true;

const isOf = ({ metadata, spec }: KubeObject, cluster: KubeObject): boolean =>
  metadata.namespace === cluster.metadata.namespace && Object(spec).clusterName === cluster.metadata.name;

const isStayingMember = (machine: KubeObject, cluster: KubeObject): boolean =>
  isOf(machine, cluster) && isLiving(machine) && machine.metadata.labels?.[controlPlaneLabel] !== undefined;

const isPaused = ({ metadata }: KubeObject, { spec }: KubeObject): boolean =>
  metadata.annotations?.['cluster.x-k8s.io/paused'] !== undefined || Object(spec).paused === true;

const nodeOf = ({ status }: KubeObject): string => String(Object(Object(status).nodeRef).name ?? '');

/** Every pass begins at the top, and ends with the first step that is not over. */
async function carryOn(pass: Pass, isNodeMinded: boolean): Promise<void> {
  const isWithNode = isNodeMinded && pass.nodeName !== '';
  const before = isWithNode ? [unhooked('pre-drain'), drained, detached] : [];
  const server = [unhooked('pre-terminate'), removed(resources.infrastructure), removed(resources.bootstrap)];
  const after = isWithNode ? [nodeRemoved, released] : [released];
  for (const step of [...before, ...server, ...after]) if (!(await step(pass))) return;
}

const unhooked =
  (point: string): Step =>
  ({ machine }) => {
    const prefix = `${point}.delete.hook.machine.cluster.x-k8s.io`;
    const annotations = Object.keys(machine.metadata.annotations ?? {});
    return Promise.resolve(!annotations.some((name) => name.startsWith(prefix)));
  };

/** Servers and bootstrap configs are called here as their Machines are. */
const removed =
  (resource: Resource): Step =>
  async ({ site: { kubernetes }, machine }) => {
    const found = await kubernetes.get(resource, keyOf(machine));
    if (found !== undefined && isLiving(found))
      await kubernetes.delete(resource, keyOf(machine), found.metadata.uid ?? '');
    return found === undefined;
  };

const nodeRemoved: Step = async ({ site: { kubernetes }, nodeName }) => {
  const node = await kubernetes.get(nodes, { name: nodeName });
  if (node !== undefined) await kubernetes.delete(nodes, { name: nodeName }, node.metadata.uid ?? '');
  return true;
};

const released: Step = async ({ site: { kubernetes }, machines, machine }) => {
  const { resourceVersion, finalizers = [] } = machine.metadata;
  const left = finalizers.filter((name) => name !== finalizer);
  await kubernetes.mergePatch(machines, keyOf(machine), { metadata: { resourceVersion, finalizers: left } });
  return true;
};
