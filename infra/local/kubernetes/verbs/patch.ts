import { apiVersionOf, type Cause, type Target, type WriteOptions } from '../discovery/resource.ts';
import { type Api, mustExist } from '../objects/api.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { kubeObject } from '../objects/kube-object.ts';
import { badRequest, invalid, invalidValue } from '../objects/status.ts';
import { jsonPatch } from '../patches/json-patch.ts';
import { mergePatch, strategicPatch } from '../patches/strategic.ts';
import { parse, refuseOtherName, toStored, unsupportedMedia } from '../server/body.ts';
import { isObject, objectOf } from '../server/json.ts';
import { atVersion } from '../server/wire.ts';
import { apply } from './apply.ts';
import { update } from './update.ts';

export interface Patched {
  readonly object: KubeObject;
  readonly isNew: boolean;
}

/** Changes an object as the patch says and answers it. Throws ApiError. */
export function patch(
  api: Api,
  target: Target,
  type: string,
  given: { body: string; options: WriteOptions },
): Patched {
  if (type === 'application/apply-patch+yaml') return apply(api, target, given.body, given.options);
  const change = patchOf(target, type);
  const previous = mustExist(api, target);
  const changes = parsePatch(given.body);
  return {
    object: applyPatch(api, target, { previous, changes, change, options: given.options }),
    isNew: false,
  };
}

function parsePatch(body: string): unknown {
  if (body === '') throw badRequest('error decoding patch: unexpected end of JSON input');
  return parse(body);
}

type Apply = (document: unknown, changes: unknown) => unknown;

function patchOf({ resource }: Target, type: string): Apply {
  if (type === 'application/json-patch+json') return jsonPatch;
  if (type === 'application/merge-patch+json') return mergeWithObject;
  if (type === 'application/strategic-merge-patch+json' && !resource.isCustom) return strategicWithObject;
  const strategic = resource.isCustom ? [] : ['application/strategic-merge-patch+json'];
  throw unsupportedMedia([
    'application/json-patch+json',
    'application/merge-patch+json',
    ...strategic,
    'application/apply-patch+yaml',
  ]);
}

interface Patching {
  readonly previous: KubeObject;
  readonly changes: unknown;
  readonly change: Apply;
  readonly options: WriteOptions;
}

/** Applies the patch to the object as the client sees it at this version, then stores the outcome. */
export function applyPatch(
  api: Api,
  target: Target,
  { previous, changes, change, options }: Patching,
): KubeObject {
  const seen = atVersion(target.resource, target.version, previous);
  const patched = change(seen, changes);
  if (!isObject(patched)) throw badRequest('the patched document is no object');
  const object = kubeObject({ ...patched, metadata: objectOf(patched.metadata) });
  refuseOther(target, object);
  return update(api, target, toStored(target, object), { ...options, isPatch: true });
}

export const mergeWithObject: Apply = (document, changes) => {
  if (!isObject(changes)) throw badRequest(notAnObject(changes));
  return mergePatch(document, changes);
};

const strategicWithObject: Apply = (document, changes) => {
  if (!isObject(changes)) throw badRequest(notAnObject(changes));
  return strategicPatch(document, changes);
};

/** A patch keeps the name and the kind, and the result must be a valid object of the kind. */
function refuseOther(target: Target, object: KubeObject): void {
  const { resource, version } = target;
  const apiVersion = apiVersionOf(resource.group, version);
  if (resource.isCustom) {
    const causes: Cause[] = [];
    if (object.apiVersion !== apiVersion)
      causes.push(invalidValue('apiVersion', object.apiVersion, `must be ${apiVersion}`));
    if (object.kind !== resource.kind)
      causes.push(invalidValue('kind', object.kind, `must be ${resource.kind}`));
    if (causes.length > 0) throw invalid(resource.group, resource.kind, target.name, causes);
  } else {
    const isOther = object.kind !== resource.kind || object.apiVersion !== apiVersion;
    const why = isOther ? `unable to convert to ${resource.kind}` : resource.rules.malformation?.(object);
    if (why) throw invalid('', '', '', [invalidValue('patch', JSON.stringify(object), why)]);
  }
  refuseOtherName(target, object);
}

function notAnObject(changes: unknown): string {
  const found = Array.isArray(changes) ? 'array' : typeof changes;
  return `error decoding patch: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
}
