import { type Api, existing, type Target } from '../api.ts';
import { parse, toStored, unsupportedMedia } from '../body.ts';
import type { KubeObject } from '../cluster.ts';
import { isObject, objectOf } from '../json.ts';
import { jsonPatch } from '../patches/json-patch.ts';
import { mergePatch } from '../patches/merge.ts';
import { strategicPatch } from '../patches/strategic.ts';
import { badRequest, notFound } from '../status.ts';
import { atVersion } from '../wire.ts';
import { update } from './update.ts';

export type PatchType = 'json-patch+json' | 'merge-patch+json' | 'strategic-merge-patch+json';

/** Changes an object as the patch says and answers it. Throws ApiError. */
export function patch(
  api: Api,
  target: Target,
  type: string,
  given: { body: string; dryRun: boolean },
): KubeObject {
  const apply = patchOf(target, type);
  const previous = existing(api, target);
  if (!previous) throw notFound(target.resource, target.name);
  const changes = parse(given.body);
  return applyPatch(api, target, { previous, changes, apply, dryRun: given.dryRun });
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
  readonly apply: Apply;
  readonly dryRun: boolean;
}

/** Applies the patch to the object as the client sees it at this version, then stores the outcome. */
export function applyPatch(
  api: Api,
  target: Target,
  { previous, changes, apply, dryRun }: Patching,
): KubeObject {
  const seen = atVersion(target.resource, target.version, previous);
  const patched = apply(seen, changes);
  if (!isObject(patched)) throw badRequest('the patched document is no object');
  const object = { ...patched, metadata: objectOf(patched.metadata) } as unknown as KubeObject;
  return update(api, target, toStored(target, object), { dryRun });
}

export const mergeWithObject: Apply = (document, changes) => {
  if (!isObject(changes))
    throw badRequest('json: cannot unmarshal array into Go value of type map[string]interface {}');
  return mergePatch(document, changes);
};

const strategicWithObject: Apply = (document, changes) => {
  if (!isObject(changes))
    throw badRequest('json: cannot unmarshal array into Go value of type map[string]interface {}');
  return strategicPatch(document, changes);
};
