import { parse as parseYaml } from 'yaml';
import { type Api, existing, type Target, type WriteOptions } from '../api.ts';
import { objectIn, refuseOtherName } from '../body.ts';
import type { KubeObject } from '../cluster.ts';
import { isObject } from '../json.ts';
import { kubeObject } from '../kube-object.ts';
import { mergePatch } from '../patches/merge.ts';
import { strategicPatch } from '../patches/strategic.ts';
import { badRequest } from '../status.ts';
import { create } from './create.ts';
import { update } from './update.ts';

/**
 * Server-side apply without field managers: a missing object is created, a present one takes the fields that are
 * given and keeps all others, whoever set them. Throws ApiError.
 */
export function apply(api: Api, target: Target, body: string, options: WriteOptions) {
  const wanted: unknown = parseYaml(body, { version: '1.1' });
  if (!isObject(wanted)) throw badRequest('error decoding YAML: the configuration is no object');
  const object = objectIn(target, wanted);
  const named: KubeObject = {
    ...object,
    metadata: { ...object.metadata, name: object.metadata.name || target.name },
  };
  refuseOtherName(target, named);
  const previous = existing(api, target);
  if (!previous) return { object: create(api, target, named, options), isNew: true };
  const merge = target.resource.isCustom ? mergePatch : strategicPatch;
  return { object: update(api, target, kubeObject(merge(previous, named)), options), isNew: false };
}
