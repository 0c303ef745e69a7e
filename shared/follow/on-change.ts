import type { KubeObject } from '../kubernetes/objects.ts';
import type { MachineRef } from '../machine/machine.ts';
import type { Fact } from '../machine/messages.ts';
import type { Environment } from '../runtime/environment.ts';
import { look } from './look.ts';
import { shortestPause } from './pace.ts';
import { observedDialect, watchedOf } from './watched.ts';

/**
 * An event of a Machine of an API that is only watched: a look, where it claims what was not told. Undefined for the
 * Machines of all others.
 */
export async function onChange(env: Environment, object: KubeObject): Promise<readonly Fact[] | undefined> {
  const { apiVersion, metadata } = object;
  const dialect = observedDialect(env, apiVersion);
  if (dialect === undefined) return undefined;
  const claimed = watchedOf(env, dialect, object);
  if (claimed === undefined) return [];
  const known = env.cache.notes(metadata.uid ?? '').watched;
  const isNew = known?.told.phase !== claimed.phase || known.age() >= shortestPause;
  return isNew ? look(env, refOf(object)) : [];
}

/** An event says that it is gone: whether it is, the API server says. */
export async function onRemoval(env: Environment, object: KubeObject): Promise<readonly Fact[] | undefined> {
  const dialect = observedDialect(env, object.apiVersion);
  if (dialect === undefined) return undefined;
  return watchedOf(env, dialect, object) === undefined ? [] : look(env, refOf(object));
}

function refOf({ apiVersion = '', metadata }: KubeObject): MachineRef {
  const { namespace = '', name, uid = '' } = metadata;
  return { apiVersion, namespace, name, uid };
}
