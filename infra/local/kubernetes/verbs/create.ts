import { admit } from '../admission/admit.ts';
import { hasStatus, type Resource, type Target, type WriteOptions } from '../discovery/resource.ts';
import { type Api, nameSuffix, newUid, timestamp } from '../objects/api.ts';
import type { KubeObject, ObjectMeta } from '../objects/cluster.ts';
import { filledMetadata, withMetadata } from '../objects/kube-object.ts';
import { metadataRefusals } from '../objects/metadata-rules.ts';
import {
  alreadyExists,
  detailsOf,
  failure,
  internal,
  invalid,
  notFound,
  qualified,
  refuseOtherNamespace,
} from '../objects/status.ts';
import { admitted, schemaRefusals } from '../schema/admission.ts';
import { compact, textAt } from '../server/json.ts';
import { isStated } from './update.ts';

/** Stores a new object and answers it. Throws ApiError. With `dryRun`, does all but store it. */
export function create(api: Api, target: Target, object: KubeObject, options: WriteOptions = {}): KubeObject {
  const { resource } = target;
  const namespace = namespaceFor(target, object);
  refuseClosedNamespace(api, resource, namespace, object.metadata.name ?? '');
  const { resourceVersion } = object.metadata;
  if (isStated(resourceVersion) && /^\d+$/.test(resourceVersion))
    throw internal('resourceVersion should not be set on objects to be created');
  const entering = admitted(target, object, options);
  const prepared = prepare(resource, { ...entering, metadata: newMetadata(api, object.metadata, namespace) });
  const causes = [
    ...metadataRefusals(resource, prepared),
    ...schemaRefusals(target, prepared),
    ...(resource.rules.refusals?.(prepared, undefined) ?? []),
  ];
  const name = prepared.metadata.name;
  if (causes.length > 0)
    throw invalid(resource.shownAs ? '' : resource.group, resource.kind, name ?? '', causes);
  admit(api, target, { object: prepared }, options);
  const present = api.store.get(resource.storage, namespace, name);
  if (present) throw alreadyExists(resource, name, present.metadata.deletionTimestamp !== undefined);
  if (options.dryRun) return prepared;
  const stored = api.store.put(resource.storage, prepared);
  api.ownership.keep(target, stored, undefined, options);
  return stored;
}

function prepare(resource: Resource, object: KubeObject): KubeObject {
  const { rules } = resource;
  const counted = resource.isCustom || rules.hasGeneration ? withMetadata(object, { generation: 1 }) : object;
  const bare = resource.isCustom && hasStatus(resource) ? withoutStatus(counted) : counted;
  const filled = rules.defaults?.(bare) ?? bare;
  return rules.onCreate?.(filled) ?? filled;
}

function withoutStatus({ status: _status, ...rest }: KubeObject): KubeObject {
  return rest;
}

function newMetadata(api: Api, given: ObjectMeta, namespace: string | undefined): ObjectMeta {
  const {
    selfLink: _selfLink,
    deletionTimestamp: _gone,
    deletionGracePeriodSeconds: _grace,
    managedFields: _managed,
    ...kept
  } = given;
  const prefix = textAt(given, 'generateName');
  const name = given.name || (prefix === '' ? '' : prefix + nameSuffix(api.random));
  return compact<ObjectMeta>({
    ...kept,
    ...filledMetadata(given),
    name,
    namespace,
    uid: newUid(api.random),
    creationTimestamp: timestamp(api.clock.now()),
  });
}

function namespaceFor({ resource, namespace }: Target, object: KubeObject): string | undefined {
  if (!resource.namespaced) return undefined;
  refuseOtherNamespace(object.metadata.namespace, namespace);
  return namespace;
}

/** Nothing is created in a namespace that is missing or on its way out. */
export function refuseClosedNamespace(
  api: Api,
  resource: Resource,
  namespace: string | undefined,
  name: string,
): void {
  if (!namespace) return;
  const found = api.store.get('namespaces', undefined, namespace);
  if (!found) throw notFound({ group: '', plural: 'namespaces', kind: 'Namespace' }, namespace);
  if (!found.metadata.deletionTimestamp) return;
  const what = qualified(resource.plural, resource.group);
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  const details = detailsOf(name, resource.group, resource.plural, { causes: [cause] });
  throw failure(403, 'Forbidden', `${what} "${name}" is forbidden: ${why}`, details);
}
