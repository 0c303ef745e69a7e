import { parse as parseYaml } from 'yaml';
import { hasStatus, type Target, type WriteOptions } from '../discovery/resource.ts';
import { type Api, existing } from '../objects/api.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { kubeObject } from '../objects/kube-object.ts';
import { badRequest, conflict, internal, invalid, notFound, required } from '../objects/status.ts';
import { applyFields, trackedFields } from '../ownership/apply-fields.ts';
import { ownersBeforeApply, writerOf } from '../ownership/ownership.ts';
import { typingOf, undeclared } from '../ownership/typing.ts';
import { strayFields } from '../schema/admission.ts';
import { objectIn, refuseOtherName } from '../server/body.ts';
import { isObject, type JsonObject, objectOf, textAt } from '../server/json.ts';
import { create } from './create.ts';
import { update } from './update.ts';

/**
 * Server-side apply. A missing object is created. A present one takes the given fields, and loses those that this
 * manager gave before and does not give now. Throws ApiError.
 */
export function apply(api: Api, target: Target, body: string, options: WriteOptions) {
  refuseNameless(options.manager);
  const wanted = wantedIn(target, body);
  const previous = existing(api, target);
  if (!previous) return { object: applyNew(api, target, wanted, options), isNew: true };
  const { resource } = target;
  const { object, owners } = applyFields({
    typing: typingOf(resource, resource.storageVersion),
    present: previous,
    wanted,
    owners: api.ownership.of(previous) ?? ownersBeforeApply(target, previous),
    writer: writerOf(target, 'Apply', options),
    force: options.force === true,
  });
  return { object: update(api, target, kubeObject(object), { ...options, owners }), isNew: false };
}

function applyNew(api: Api, target: Target, wanted: KubeObject, options: WriteOptions): KubeObject {
  const { resource, name, subresource } = target;
  if (subresource !== '') throw notFound(resource, name);
  const { uid } = wanted.metadata;
  if (uid)
    throw conflict(
      resource,
      name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  const fields = trackedFields(typingOf(resource, resource.storageVersion), wanted);
  const owner = { ...writerOf(target, 'Apply', options), fields: new Set(fields.keys()) };
  return create(api, target, wanted, { ...options, owners: [owner] });
}

function refuseNameless(manager: string | undefined): void {
  if (manager) return;
  const causes = [required('fieldManager', 'is required for apply patch')];
  throw invalid('meta.k8s.io', 'PatchOptions', '', causes);
}

/** The part of the body that this path writes, under the name that the path gives. */
function wantedIn(target: Target, body: string): KubeObject {
  const wanted: unknown = parseYaml(body, { version: '1.1' });
  if (!isObject(wanted)) throw badRequest('error decoding YAML: the configuration is no object');
  refuseUntyped(target, wanted);
  const object = objectIn(target, inScope(target, wanted));
  const { metadata } = object;
  if (metadata.managedFields !== undefined) throw badRequest('metadata.managedFields must be nil');
  const named = { ...object, metadata: { ...metadata, name: metadata.name || target.name } };
  refuseOtherName(target, named);
  return named;
}

function refuseUntyped({ resource, version }: Target, wanted: JsonObject): void {
  const kind = textAt(wanted, 'kind');
  const apiVersion = textAt(wanted, 'apiVersion');
  if (apiVersion === '' || kind === '') throw badRequest(`invalid object type: ${apiVersion}/, Kind=${kind}`);
  const [stray] = strayFields(resource, wanted);
  const flaw =
    stray === undefined
      ? undeclared(typingOf(resource, version), wanted)
      : `.${stray}: field not declared in schema`;
  if (flaw === undefined) return;
  const name = `${textAt(wanted, 'metadata', 'namespace')}/${textAt(wanted, 'metadata', 'name')}`;
  const versioned = resource.group === '' ? `/${apiVersion}` : apiVersion;
  throw internal(`failed to create typed patch object (${name}; ${versioned}, Kind=${kind}): ${flaw}`);
}

/** The main resource takes no status, and that of a custom resource takes nothing else. */
function inScope({ resource, subresource }: Target, wanted: JsonObject): JsonObject {
  if (!hasStatus(resource)) return wanted;
  const { status, ...rest } = wanted;
  if (subresource !== 'status') return rest;
  if (!resource.isCustom) return wanted;
  const { apiVersion, kind } = wanted;
  const { name, namespace, uid, resourceVersion } = objectOf(wanted.metadata);
  return { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion }, status };
}
