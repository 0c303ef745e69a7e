import { Unavailable } from '../kubernetes/errors.ts';
import { isRecord, type KubeObject } from '../kubernetes/objects.ts';
import type { PlaceWrite } from '../policies/choose.ts';
import { forgetOwnObjects, ownResource } from '../read/own-objects.ts';
import type { Environment } from '../runtime/environment.ts';

/**
 * Writes who has begun, if the DrainPolicy is still as it was seen. False if it has changed, or is gone. Throws Unavailable where the
 * write is refused, or is not what was stored: then nothing begins.
 */
export async function writePlace(env: Environment, { policy, begun }: PlaceWrite): Promise<boolean> {
  const { name, namespace, uid, resourceVersion } = policy;
  const unwritten = (why: string): Unavailable =>
    new Unavailable(`who has begun could not be written to DrainPolicy ${name}: ${why}`);
  const resource = await ownResource(env.management, 'DrainPolicy');
  forgetOwnObjects(env.cache, 'DrainPolicy', namespace);
  if (resource === undefined) return false;
  const patch = { metadata: { resourceVersion, uid }, status: { begun } };
  const outcome = await env.management.mergePatch(resource, { namespace, name }, patch, 'status');
  if (outcome.kind === 'refused') throw unwritten(outcome.message);
  if (outcome.kind !== 'written') return false;
  const stored = uidsIn(outcome.object);
  if (begun.some((each) => !stored.includes(each.uid))) throw unwritten('it is not what was stored');
  return true;
}

function uidsIn({ status }: KubeObject): unknown[] {
  const begun = isRecord(status) ? status['begun'] : undefined;
  return Array.isArray(begun) ? begun.map((each: unknown) => isRecord(each) && each['uid']) : [];
}
