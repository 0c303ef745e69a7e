import type { Resource, Target } from '../discovery/resource.ts';
import { admitted, schemaRefusals } from '../schema/admission.ts';
import { toStored } from '../server/body.ts';
import { compact, objectOf } from '../server/json.ts';
import { type Api, newUid, timestamp } from './api.ts';
import type { KubeObject, ObjectMeta } from './cluster.ts';
import { metadataRefusals } from './metadata-rules.ts';
import { invalid } from './status.ts';

/**
 * Stores an object as a dump shows it, with its UID, owners, status and deletionTimestamp. It replaces one of the
 * same name. What a manifest written by hand leaves out is filled in as for a new object. Throws ApiError when no API
 * server would have held such an object.
 */
export function restore(api: Api, resource: Resource, given: KubeObject): KubeObject {
  const version = (given.apiVersion ?? '').split('/').at(-1) ?? '';
  const { name, namespace: stated } = given.metadata;
  const namespace = resource.namespaced ? (stated ?? 'default') : undefined;
  const target: Target = { resource, version, namespace, name, subresource: '' };
  const metadata = compact<ObjectMeta>({ ...given.metadata, namespace });
  const object = toStored(target, admitted(target, { ...given, metadata }, { fieldValidation: 'Ignore' }));
  const restored = withRules(resource, { ...object, metadata: metadataOf(api, resource, object) });
  const causes = [
    ...metadataRefusals(resource, restored),
    ...schemaRefusals(target, restored),
    ...(resource.rules.refusesRestored ? (resource.rules.refusals?.(restored, undefined) ?? []) : []),
  ];
  if (causes.length > 0) throw invalid(resource.group, resource.kind, name, causes);
  return api.store.put(resource.storage, restored);
}

function metadataOf(api: Api, resource: Resource, { metadata }: KubeObject): ObjectMeta {
  const { selfLink: _selfLink, resourceVersion: _version, ...kept } = metadata;
  const isCounted = resource.isCustom || resource.rules.hasGeneration;
  return compact<ObjectMeta>({
    ...kept,
    uid: kept.uid ?? newUid(api.random),
    creationTimestamp: kept.creationTimestamp ?? timestamp(api.clock.now()),
    generation: kept.generation ?? (isCounted ? 1 : undefined),
  });
}

/** An object with a status was there before. What happens to new objects must not happen to it again. */
function withRules({ rules }: Resource, object: KubeObject): KubeObject {
  const filled = rules.defaults?.(object) ?? object;
  const wasThere = Object.keys(objectOf(object.status)).length > 0;
  return wasThere ? filled : (rules.onCreate?.(filled) ?? filled);
}
