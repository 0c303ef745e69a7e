import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import type { Informer } from '../machinery/informer.ts';
import { type Condition, isTerminating, type Namespace, toKey, toTime, uidOf } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import type { Vertex } from './garbage-collector.ts';

const inNamespace = (object: KubeObject): readonly string[] => [object.metadata.namespace ?? ''];

/** Empties terminating namespaces and lets them go; reports meanwhile what is left and which finalizers hold it. */
export function namespaces(world: World): void {
  const all = world.informer<Namespace>('namespaces');
  const informers: Informer<KubeObject>[] = [];

  const queue = world.queue('namespace', (key) => {
    const namespace = all.get(key);
    if (namespace === undefined || !isTerminating(namespace)) return;
    empty(world, informers, key);
    const remaining = contents(informers, key);
    if (remaining.length > 0) return report(world, namespace, remaining);
    // Events are kept by no informer and held by nothing.
    for (const event of world.list('events', key)) world.remove('events', event);
    world.patch('namespaces', namespace, { spec: { finalizers: [] } }, 'finalize');
  });

  all.onChange(({ key }) => queue.add(key));
  world.informers.each((informer) => {
    informers.push(informer);
    informer.onChange(({ before, after }) => {
      const namespace = (after ?? before)?.metadata.namespace;
      const parent = namespace === undefined ? undefined : all.get(namespace);
      if (parent !== undefined && isTerminating(parent)) queue.add(parent.metadata.name);
    });
  });
}

/** Gives every namespace the ServiceAccount that its Pods run as. */
export function serviceAccounts(world: World): void {
  const all = world.informer<Namespace>('namespaces');
  const accounts = world.informer('serviceaccounts');
  const queue = world.queue('service-account', (namespace) => {
    const parent = all.get(namespace);
    if (parent === undefined || isTerminating(parent) || accounts.get(toKey(namespace, 'default'))) return;
    const metadata = { name: 'default', namespace };
    world.create('serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  });
  all.onChange(({ key }) => queue.add(key));
  accounts.onChange(({ before, after }) => {
    if (after === undefined && before?.metadata.namespace !== undefined) queue.add(before.metadata.namespace);
  });
}

function contents(informers: readonly Informer<KubeObject>[], namespace: string): Vertex[] {
  return informers.flatMap((informer) =>
    informer.in(inNamespace, namespace).map((object) => ({ resource: informer.resource, object })),
  );
}

function empty(world: World, informers: readonly Informer<KubeObject>[], namespace: string): void {
  for (const { resource, object } of contents(informers, namespace)) {
    if (!isTerminating(object)) world.remove(resource, object, { propagationPolicy: 'Background' });
  }
}

function report(world: World, namespace: Namespace, remaining: readonly Vertex[]): void {
  const before = namespace.status?.conditions ?? [];
  const known = new Map(before.map((condition) => [condition.type, condition]));
  const now = toTime(world.clock.now());
  const conditions = remainingConditions(remaining).map((condition): Condition => {
    const old = known.get(condition.type);
    return {
      ...condition,
      lastTransitionTime: (old?.status === condition.status && old.lastTransitionTime) || now,
    };
  });
  if (isDeepStrictEqual(ordered(conditions), ordered(before))) return;
  const patch = { metadata: { uid: uidOf(namespace) }, status: { conditions } };
  world.patch('namespaces', namespace, patch, 'status');
}

function ordered(conditions: readonly Condition[]): Condition[] {
  return conditions.toSorted((one, other) => (one.type < other.type ? -1 : 1));
}

const said = (type: string, status: 'True' | 'False', reason: string, message: string): Condition => ({
  type: `Namespace${type}`,
  status,
  reason,
  message,
});

/** The conditions of a terminating namespace that is not yet empty, in the namespace controller's words. */
function remainingConditions(remaining: readonly Vertex[]): Condition[] {
  const finalizers = remaining.flatMap(({ object }) => object.metadata.finalizers ?? []);
  const left = tally(
    remaining.map(({ resource }) => longName(resource)),
    (resource, count) => `${resource} has ${count} resource instances`,
  );
  return [
    ...settled,
    said('ContentRemaining', 'True', 'SomeResourcesRemain', `Some resources are remaining: ${left}`),
    finalizers.length === 0 ? finalizersGone : finalizersLeft(finalizers),
  ];
}

const parsed = 'All legacy kube types successfully parsed';
const deleted = 'All content successfully deleted, may be waiting on finalization';
const settled: readonly Condition[] = [
  said('DeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'All resources successfully discovered'),
  said('DeletionGroupVersionParsingFailure', 'False', 'ParsedGroupVersions', parsed),
  said('DeletionContentFailure', 'False', 'ContentDeleted', deleted),
];

const finished = 'All content-preserving finalizers finished';
const finalizersGone = said('FinalizersRemaining', 'False', 'ContentHasNoFinalizers', finished);

function finalizersLeft(finalizers: readonly string[]): Condition {
  const left = tally(finalizers, (finalizer, count) => `${finalizer} in ${count} resource instances`);
  const message = `Some content in the namespace has finalizers remaining: ${left}`;
  return said('FinalizersRemaining', 'True', 'SomeFinalizersRemain', message);
}

// Resources of the core group end in a dot: the empty group is written out.
function longName(resource: string): string {
  return resource.includes('.') ? resource : `${resource}.`;
}

function tally(names: readonly string[], write: (name: string, count: number) => string): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => write(name, count))
    .join(', ');
}
