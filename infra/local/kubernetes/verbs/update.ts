import { admit } from '../admission/admit.ts';
import {
  type Cause,
  hasStatus,
  type Resource,
  type Target,
  type WriteOptions,
} from '../discovery/resource.ts';
import type { Api } from '../objects/api.ts';
import type { KubeObject, ObjectMeta } from '../objects/cluster.ts';
import { filledMetadata, kubeObject, withMetadata } from '../objects/kube-object.ts';
import { metadataUpdateRefusals } from '../objects/metadata-rules.ts';
import { conflict, internal, invalid, invalidValue, stale } from '../objects/status.ts';
import { admitted, schemaRefusals } from '../schema/admission.ts';
import { areEqual, at, compact, listOf } from '../server/json.ts';

/** Stores a changed object and answers it; what changes nothing keeps its resourceVersion. Throws ApiError. */
export function update(api: Api, target: Target, next: KubeObject, options: WriteOptions = {}): KubeObject {
  const { resource } = target;
  const { dryRun = false } = options;
  const previous = api.store.get(resource.storage, target.namespace, target.name);
  if (!previous) throw internal('the object to be changed is gone');
  if (options.isReplacement) refuseReplacement(target, next, previous);
  refuseStale(resource, next, previous);
  const prepared = prepare(target, admitted(target, next, options, previous), previous);
  const causes = refusals(target, prepared, previous);
  if (causes.length > 0) throw invalid(resource.group, resource.kind, previous.metadata.name, causes);
  admit(api, target, { object: prepared, previous }, options);
  if (areEqual(prepared, previous) && !api.ownership.isChangedBy(options, previous)) return previous;
  if (isFinished(prepared, previous)) {
    if (!dryRun) api.store.drop(resource.storage, previous);
    return prepared;
  }
  if (dryRun) return prepared;
  const stored = api.store.put(resource.storage, prepared);
  api.ownership.keep(target, stored, previous, options);
  return stored;
}

function refusals(target: Target, next: KubeObject, previous: KubeObject): Cause[] {
  const { resource } = target;
  // The API server looks at changed metadata twice, and says so twice.
  const metadata = metadataUpdateRefusals(resource, next, previous).flatMap((cause) => [cause, cause]);
  return [
    ...metadata,
    ...schemaRefusals(target, next, previous),
    ...(resource.rules.refusals?.(next, previous) ?? []),
  ];
}

/** A replacement of another object of the same name. */
function refuseReplacement(target: Target, next: KubeObject, previous: KubeObject): void {
  const { resource, namespace, name } = target;
  const { uid } = next.metadata;
  if (uid !== undefined && uid !== '' && uid !== previous.metadata.uid) {
    const group = resource.isCustom ? `${resource.group}/` : '';
    const key = `/registry/${group}${resource.plural}/${namespace ? `${namespace}/` : ''}${name}`;
    const found = `UID in precondition: ${uid}, UID in object meta: ${previous.metadata.uid}`;
    const why = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${found}`;
    throw conflict(resource, name, why);
  }
}

/** A change of something else than what is there, or a blind one where that is not allowed. */
function refuseStale(resource: Resource, next: KubeObject, previous: KubeObject): void {
  const { resourceVersion } = next.metadata;
  if (!isStated(resourceVersion)) {
    if (!resource.rules.needsVersion) return;
    const cause = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
    throw invalid(resource.group, resource.plural, previous.metadata.name, [cause]);
  }
  if (!/^\d+$/.test(resourceVersion)) {
    throw internal(`strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`);
  }
  if (resourceVersion !== previous.metadata.resourceVersion) throw stale(resource, previous.metadata.name);
}

/** Zero is as good as none. */
export const isStated = (resourceVersion: string | undefined): resourceVersion is string =>
  resourceVersion !== undefined && !/^0*$/.test(resourceVersion);

/** The last finalizer of an object on its way out has gone, and so does the object. */
function isFinished(next: KubeObject, previous: KubeObject): boolean {
  if (!previous.metadata.deletionTimestamp) return false;
  if ((previous.metadata.deletionGracePeriodSeconds ?? 0) > 0) return false;
  const isHeld = (next.metadata.finalizers ?? []).length > 0 || holdsNamespace(next);
  return !isHeld;
}

function holdsNamespace(object: KubeObject): boolean {
  return object.kind === 'Namespace' && listOf(at(object, 'spec', 'finalizers')).length > 0;
}

function prepare(target: Target, next: KubeObject, previous: KubeObject): KubeObject {
  const { resource } = target;
  const { rules } = resource;
  const scoped = inScope(
    target,
    { ...next, metadata: keptMetadata(next.metadata, previous.metadata) },
    previous,
  );
  const filled = rules.defaults?.(scoped) ?? scoped;
  const settled = rules.onUpdate?.(filled, previous) ?? filled;
  const counts = resource.isCustom || rules.hasGeneration;
  if (!counts || !isCounted(target, settled, previous)) return settled;
  return withMetadata(settled, { generation: (previous.metadata.generation ?? 0) + 1 });
}

/** The main resource leaves status alone, a subresource everything else. */
function inScope(target: Target, next: KubeObject, previous: KubeObject): KubeObject {
  const { resource, subresource } = target;
  if (!hasStatus(resource)) return next;
  if (subresource === '' || subresource === 'scale') return withField(next, 'status', previous.status);
  if (subresource !== 'status') return next;
  if (resource.isCustom) return withField(previous, 'status', next.status);
  const metadata = { ...next.metadata };
  for (const field of resource.rules.keptByStatus ?? []) metadata[field] = previous.metadata[field];
  return withField({ ...next, metadata: compact<ObjectMeta>(metadata) }, 'spec', previous.spec);
}

function withField(object: KubeObject, field: string, value: unknown): KubeObject {
  const { [field]: _old, ...rest } = object;
  return kubeObject(value === undefined ? rest : { ...rest, [field]: value });
}

/** Metadata that only the API server writes stays as it was. */
function keptMetadata(next: ObjectMeta, previous: ObjectMeta): ObjectMeta {
  const { managedFields: _managed, selfLink: _selfLink, ...rest } = next;
  return compact<ObjectMeta>({
    ...rest,
    name: previous.name,
    namespace: previous.namespace,
    uid: next.uid ?? previous.uid,
    resourceVersion: previous.resourceVersion,
    generation: previous.generation,
    creationTimestamp: previous.creationTimestamp,
    deletionTimestamp: previous.deletionTimestamp ?? next.deletionTimestamp,
    deletionGracePeriodSeconds: next.deletionGracePeriodSeconds ?? previous.deletionGracePeriodSeconds,
    ...filledMetadata(next),
  });
}

/** A status update may change annotations, as the revision of a Deployment, and counts as no other generation. */
function isCounted({ resource, subresource }: Target, next: KubeObject, previous: KubeObject): boolean {
  if (subresource === 'status') return false;
  const { annotations } = next.metadata;
  const hasOther = resource.rules.countsAnnotations && !areEqual(annotations, previous.metadata.annotations);
  return hasOther === true || hasNewSpec(resource, next, previous);
}

function hasNewSpec(resource: Resource, next: KubeObject, previous: KubeObject): boolean {
  if (!resource.isCustom) return !areEqual(next.spec, previous.spec);
  const ignored = new Set(['metadata', 'apiVersion', 'kind', ...(hasStatus(resource) ? ['status'] : [])]);
  const keys = new Set([...Object.keys(next), ...Object.keys(previous)]);
  return [...keys].some((key) => !ignored.has(key) && !areEqual(next[key], previous[key]));
}
