import { groupOfReference } from '../../kubernetes/discovery/resource.ts';
import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { at, objectOf, textAt } from '../../kubernetes/server/json.ts';
import { keyOf, toKey } from '../machinery/objects.ts';
import { annotations } from '../machinery/settings.ts';
import type { World } from '../machinery/world.ts';
import { madeFrom, ownedBy } from '../workloads/replicas.ts';
import { clusterApi, type MachineSet } from './apis.ts';
import { providerFinalizer } from './infrastructure.ts';
import { resourceOf } from './kinds.ts';

/** A Machine of the set's template, hooks included; the API server completes its name. */
export const machineFrom = (set: MachineSet): KubeObject =>
  madeFrom(set, set.spec?.template, { apiVersion: set.apiVersion ?? '', kind: 'Machine' });

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

interface Clone {
  resource: string;
  object: KubeObject;
  /** To it, in the form in which the template was referred to. */
  reference: Record<string, unknown>;
}

interface CloneOptions {
  set: MachineSet;
  labels: Record<string, string>;
  /** To a template: of kind `LocalMachineTemplate` comes a `LocalMachine`. */
  reference: unknown;
  /** The API server completes a name from that of the set when there is none. */
  name?: string;
}

/** Makes an object of a provider from its template. Throws when there is no such template. */
function clone(world: World, { set, labels, reference, name }: CloneOptions): Clone {
  const { template, kind, group } = templateOf(world, set, reference);
  const resource = resourceOf(world, group, kind);
  if (resource === undefined)
    throw new Error(`${keyOf(set)}: the API server does not serve ${kind} of ${group}`);
  const content = objectOf(at(template, 'spec', 'template'));
  const own = objectOf(content['metadata']);
  const object = world.create(resource, {
    apiVersion: template.apiVersion ?? '',
    kind,
    metadata: {
      ...(name === undefined ? { name: '', generateName: `${set.metadata.name}-` } : { name }),
      namespace: set.metadata.namespace ?? '',
      labels: { ...texts(own['labels']), ...labels },
      annotations: {
        'cluster.x-k8s.io/cloned-from-name': template.metadata.name,
        'cluster.x-k8s.io/cloned-from-groupkind': `${template.kind}.${group}`,
        [annotations.startSeconds]: String(world.settings.serverStartSeconds),
        ...texts(own['annotations']),
      },
      ownerReferences: [ownedBy(set)],
      finalizers: [providerFinalizer],
    },
    spec: objectOf(content['spec']),
  });
  return { resource, object, reference: { ...objectOf(reference), kind, name: object.metadata.name } };
}

function templateOf(world: World, set: MachineSet, reference: unknown) {
  const [kind, name] = [textAt(reference, 'kind'), textAt(reference, 'name')];
  const group = groupOfReference(reference);
  if (!kind.endsWith('Template')) throw new Error(`${keyOf(set)}: ${kind} ${name} is no template`);
  const resource = resourceOf(world, group, kind);
  const template = resource && world.informer(resource).get(toKey(set.metadata.namespace, name));
  if (!template) throw new Error(`${keyOf(set)}: there is no ${kind} ${name}`);
  return { template, kind: kind.slice(0, -'Template'.length), group };
}

const texts = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(objectOf(value)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
