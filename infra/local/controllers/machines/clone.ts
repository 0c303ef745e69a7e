import { groupOfReference } from '../../kubernetes/discovery/reference.ts';
import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { at, objectOf, textAt } from '../../kubernetes/server/json.ts';
import { keyOf, toKey } from '../machinery/keys.ts';
import { annotations } from '../machinery/settings.ts';
import type { World } from '../machinery/world.ts';
import { ownedBy } from '../workloads/replicas.ts';
import { providerFinalizer } from './infrastructure.ts';
import { resourceOf } from './kinds.ts';
import type { MachineSet } from './machine-objects.ts';

export interface Clone {
  resource: string;
  object: KubeObject;
  /** To it, in the form in which the template was referred to. */
  reference: Record<string, unknown>;
}

export interface CloneOptions {
  set: MachineSet;
  labels: Record<string, string>;
  /** To a template: of kind `LocalMachineTemplate` comes a `LocalMachine`. */
  reference: unknown;
  /** The API server completes a name from that of the set when there is none. */
  name?: string;
}

/** Makes an object of a provider from its template. Throws when there is no such template. */
export function clone(world: World, { set, labels, reference, name }: CloneOptions): Clone {
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
