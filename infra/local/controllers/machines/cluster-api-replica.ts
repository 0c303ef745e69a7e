import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { objectOf } from '../../kubernetes/server/json.ts';
import type { World } from '../machinery/world.ts';
import { ownedBy } from '../workloads/replicas.ts';
import { clusterApi } from './apis.ts';
import { type Clone, clone } from './clone.ts';
import type { MachineSet } from './machine-objects.ts';
import { machineFrom } from './replica.ts';

const clusterLabel = 'cluster.x-k8s.io/cluster-name';
const setLabel = 'cluster.x-k8s.io/set-name';
const deploymentLabel = 'cluster.x-k8s.io/deployment-name';

/** Makes a Machine with infrastructure and bootstrap objects of its own, all three of the same name. */
export function makeClusterApiMachine(world: World, set: MachineSet): void {
  const labels = labelsOf(set);
  const made: Clone[] = [];
  const copy = (reference: unknown, name?: string): Clone => {
    const copied = clone(world, { set, labels, reference, ...(name !== undefined && { name }) });
    made.push(copied);
    return copied;
  };
  try {
    const machine = world.create(clusterApi.machines, withReferences(machineFrom(set), { labels, copy }));
    for (const { resource, object } of made) handOver(world, resource, object, machine);
  } catch (error) {
    for (const { resource, object } of made) world.remove(resource, object);
    throw error;
  }
}

/** The Machine under the name that its infrastructure was given. */
function withReferences(
  machine: KubeObject,
  { labels, copy }: { labels: Record<string, string>; copy: (reference: unknown, name?: string) => Clone },
): KubeObject {
  const spec = objectOf(machine.spec);
  const bootstrap = objectOf(spec.bootstrap);
  const { object, reference: infrastructureRef } = copy(spec.infrastructureRef);
  const { name } = object.metadata;
  const config =
    bootstrap.configRef === undefined ? {} : { configRef: copy(bootstrap.configRef, name).reference };
  return {
    ...machine,
    metadata: { ...machine.metadata, name, labels },
    spec: { ...spec, infrastructureRef, bootstrap: { ...bootstrap, ...config } },
  };
}

function labelsOf({ metadata, spec }: MachineSet): Record<string, string> {
  const deployment = metadata.labels?.[deploymentLabel];
  return {
    ...spec?.template?.metadata?.labels,
    [clusterLabel]: spec?.clusterName ?? '',
    [setLabel]: metadata.name,
    ...(deployment !== undefined && { [deploymentLabel]: deployment }),
  };
}

/** From the set, which made it, to the Machine, with which it goes. */
function handOver(world: World, resource: string, object: KubeObject, machine: KubeObject): void {
  world.patch(resource, object, { metadata: { ownerReferences: [ownedBy(machine)] } });
}
