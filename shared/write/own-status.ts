import { isDeepStrictEqual } from 'node:util';
import type { Resource } from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import { isRecord, type KubeObject } from '../kubernetes/objects.ts';
import type { Environment } from '../runtime/environment.ts';

/** No more than one write of an object in this time, however often a sweep comes. */
const restMilliseconds = 30_000;

/**
 * Writes fields of the status of an object of our own kinds, where they differ. The object has to be as it was seen. Null
 * stands for a field that goes. Never throws: nothing rests on it, and the next sweep writes what this one could not.
 */
export async function saveOwnStatus(
  env: Environment,
  resource: Resource,
  { kind, object }: { kind: 'DeletionHook' | 'DrainPolicy'; object: KubeObject },
  wanted: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { namespace, name, uid = '', resourceVersion } = object.metadata;
  const before = isRecord(object['status']) ? object['status'] : {};
  const isSame = Object.entries(wanted).every(([field, value]) =>
    isDeepStrictEqual(before[field] ?? null, value ?? null),
  );
  if (isSame) return;
  const { statusTold } = env.cache.notes(uid);
  if (statusTold !== undefined && statusTold() < restMilliseconds) return;
  env.cache.note(uid, { statusTold: env.clock.stopwatch() });
  const patch = { metadata: { resourceVersion, uid }, status: wanted };
  const key = { ...(namespace !== undefined && { namespace }), name };
  const warn = (why: string): void =>
    env.log.warn('Status of a DeletionHook or DrainPolicy could not be written', {
      kind,
      name: `${namespace}/${name}`,
      why,
    });
  try {
    const outcome = await env.management.mergePatch(resource, key, patch, 'status');
    if (outcome.kind === 'refused') warn(outcome.message);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    warn(error.message);
  }
}
