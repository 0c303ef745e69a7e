import { isDeepStrictEqual } from 'node:util';
import type { HookStatus } from '../hooks/status.ts';
import type { Resource } from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { Environment } from '../runtime/environment.ts';

/** No more than one write of an object in this time, however often a sweep comes. */
const restMilliseconds = 30_000;

/**
 * Writes the status of a DeletionHook, if that is another, and the object still as it was seen. Never throws: nothing rests on it, and the next
 * sweep writes what this one could not.
 */
export async function saveHookStatus(
  env: Environment,
  resource: Resource,
  object: KubeObject,
  status: HookStatus,
): Promise<void> {
  const { namespace, name, uid = '', resourceVersion } = object.metadata;
  if (isDeepStrictEqual(object['status'], status)) return;
  const { statusTold } = env.cache.notes(uid);
  if (statusTold !== undefined && statusTold() < restMilliseconds) return;
  env.cache.note(uid, { statusTold: env.clock.stopwatch() });
  const { machines = null, ...counted } = status;
  const patch = { metadata: { resourceVersion, uid }, status: { machines, ...counted } };
  const key = { ...(namespace !== undefined && { namespace }), name };
  const warn = (why: string): void =>
    env.log.warn('Status of a DeletionHook could not be written', { hook: `${namespace}/${name}`, why });
  try {
    const outcome = await env.management.mergePatch(resource, key, patch, 'status');
    if (outcome.kind === 'refused') warn(outcome.message);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    warn(error.message);
  }
}
