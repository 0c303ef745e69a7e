import { type Api, type Target, timestamp } from '../api.ts';
import type { DeleteOptions, KubeObject, ObjectMeta } from '../cluster.ts';
import { compact, numberAt, textAt } from '../json.ts';
import type { Resource } from '../resource.ts';
import { conflict, failure, notFound } from '../status.ts';

export interface Removal {
  /** The object as the answer shows it. */
  readonly object: KubeObject;
  /** Whether it is gone, rather than on its way. */
  readonly isGone: boolean;
}

export interface RemoveOptions extends DeleteOptions {
  orphanDependents?: boolean;
  dryRun?: boolean;
}

/** Removes an object, or marks it when finalizers or a grace period hold it. Throws ApiError. */
export function remove(api: Api, target: Target, options: RemoveOptions): Removal {
  const { resource } = target;
  const found = api.store.get(resource.storage, target.namespace, target.name);
  if (!found) throw notFound(resource, target.name);
  refuseUnmet(resource, found, options);
  if (resource.kind === 'Namespace') refuseProtected(target.name);
  const marked =
    resource.kind === 'Namespace' ? terminatingNamespace(api, found) : mark(api, resource, found, options);
  if (marked === undefined) return { object: found, isGone: false };
  return finish(api, resource, { found, marked }, options.dryRun === true);
}

const protectedNamespaces = ['default', 'kube-public', 'kube-system'];

function refuseProtected(name: string): void {
  if (!protectedNamespaces.includes(name)) return;
  const message = `namespaces "${name}" is forbidden: this namespace may not be deleted`;
  throw failure(403, 'Forbidden', message, { name, kind: 'namespaces' });
}

interface Marking {
  readonly found: KubeObject;
  readonly marked: KubeObject;
}

function finish(api: Api, resource: Resource, { found, marked }: Marking, dryRun: boolean): Removal {
  const isHeld =
    (marked.metadata.finalizers ?? []).length > 0 ||
    (marked.metadata.deletionGracePeriodSeconds ?? 0) > 0 ||
    resource.kind === 'Namespace';
  if (dryRun) return { object: marked, isGone: !isHeld };
  const written = marked === found ? found : api.store.put(resource.storage, marked);
  if (isHeld) return { object: written, isGone: false };
  return { object: api.store.drop(resource.storage, written), isGone: true };
}

function refuseUnmet(resource: Resource, found: KubeObject, { preconditions }: RemoveOptions): void {
  const about = { group: resource.group, plural: resource.kind, kind: resource.kind };
  const { uid, resourceVersion, name } = found.metadata;
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    const why = `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflict(about, name, why);
  }
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    const why = `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
    throw conflict(about, name, why);
  }
}

/** The object as it must be stored before it can go, the object itself when it can go now, undefined when nothing changes. */
function mark(
  api: Api,
  resource: Resource,
  found: KubeObject,
  options: RemoveOptions,
): KubeObject | undefined {
  const finalizers = finalizersFor(resource, found, options);
  const withFinalizers = sameList(finalizers, found.metadata.finalizers ?? [])
    ? found
    : {
        ...found,
        metadata: compact<ObjectMeta>({
          ...found.metadata,
          finalizers: finalizers.length > 0 ? finalizers : undefined,
        }),
      };
  if (resource.rules.isGraceful) return markGraceful(api, withFinalizers, found, options);
  if (finalizers.length === 0) return withFinalizers === found ? found : markNow(api, withFinalizers);
  const marked = markNow(api, withFinalizers);
  return found.metadata.deletionTimestamp && withFinalizers === found ? undefined : marked;
}

function markNow(api: Api, object: KubeObject): KubeObject {
  const { metadata } = object;
  const generation =
    metadata.deletionGracePeriodSeconds === undefined && metadata.generation
      ? metadata.generation + 1
      : metadata.generation;
  const deletionTimestamp = metadata.deletionTimestamp ?? timestamp(api.clock.now());
  return {
    ...object,
    metadata: compact<ObjectMeta>({
      ...metadata,
      generation,
      deletionTimestamp,
      deletionGracePeriodSeconds: 0,
    }),
  };
}

function markGraceful(
  api: Api,
  object: KubeObject,
  found: KubeObject,
  options: RemoveOptions,
): KubeObject | undefined {
  const { metadata } = object;
  if (found.metadata.deletionTimestamp) return shortened(object, options.gracePeriodSeconds);
  const seconds = graceSeconds(object, options.gracePeriodSeconds);
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(metadata.generation !== undefined && { generation: metadata.generation + 1 }),
      deletionTimestamp: timestamp(api.clock.now() + seconds * 1000),
      deletionGracePeriodSeconds: seconds,
    },
  };
}

/** A grace period that has begun can only be shortened, counted from its beginning. */
function shortened(object: KubeObject, wanted: number | undefined): KubeObject | undefined {
  const current = object.metadata.deletionGracePeriodSeconds ?? 0;
  if (wanted === undefined) return undefined;
  const seconds = wanted < 0 ? 1 : wanted;
  if (seconds >= current) return undefined;
  const begin = Date.parse(object.metadata.deletionTimestamp ?? '') - current * 1000;
  const deletionTimestamp = timestamp(begin + seconds * 1000);
  return {
    ...object,
    metadata: { ...object.metadata, deletionTimestamp, deletionGracePeriodSeconds: seconds },
  };
}

/** A Pod without a Node, or one that has ended, has nobody who would use a grace period. */
function graceSeconds(pod: KubeObject, wanted: number | undefined): number {
  const phase = textAt(pod, 'status', 'phase');
  if (textAt(pod, 'spec', 'nodeName') === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
  const seconds = wanted ?? numberAt(pod, 'spec', 'terminationGracePeriodSeconds') ?? 0;
  return seconds < 0 ? 1 : seconds;
}

function finalizersFor(resource: Resource, found: KubeObject, options: RemoveOptions): string[] {
  const current = found.metadata.finalizers ?? [];
  const kept = current.filter((one) => one !== 'orphan' && one !== 'foregroundDeletion');
  const policy = options.propagationPolicy ?? legacyPolicy(options) ?? policyOf(current, resource);
  if (policy === 'Orphan') kept.push('orphan');
  if (policy === 'Foreground') kept.push('foregroundDeletion');
  return kept;
}

function legacyPolicy({ orphanDependents }: RemoveOptions): string | undefined {
  if (orphanDependents === undefined) return undefined;
  return orphanDependents ? 'Orphan' : 'Background';
}

function policyOf(finalizers: readonly string[], resource: Resource): string {
  if (finalizers.includes('orphan')) return 'Orphan';
  if (finalizers.includes('foregroundDeletion')) return 'Foreground';
  return resource.rules.orphansByDefault ? 'Orphan' : 'Background';
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, i) => item === other[i]);
}

/** A namespace stays, Terminating, until its own finalizers are gone. */
function terminatingNamespace(api: Api, found: KubeObject): KubeObject | undefined {
  if (found.metadata.deletionTimestamp) return undefined;
  return {
    ...found,
    metadata: { ...found.metadata, deletionTimestamp: timestamp(api.clock.now()) },
    status: { phase: 'Terminating' },
  };
}
