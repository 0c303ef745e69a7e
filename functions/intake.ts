import { intakeEvent } from '../shared/intake/intake.ts';
import type { KubeObject } from '../shared/kubernetes/objects.ts';
import type { Advance } from '../shared/machine/messages.ts';
import type { Environment } from '../shared/runtime/environment.ts';

/**
 * Hears of a Machine. The event only says where to look: who has already seen this version, by reading it or by
 * writing it, has nothing to learn from it.
 */
export async function intake(env: Environment, object: KubeObject): Promise<Advance | undefined> {
  const { uid = '' } = object.metadata;
  // The event of a write of ours may come before its answer.
  await env.turns.settled(uid);
  if (env.cache.isGone(uid)) return undefined;
  const known = env.cache.machine(uid);
  const seen = Number(known?.raw.metadata.resourceVersion ?? 0);
  if (seen >= Number(object.metadata.resourceVersion)) return undefined;
  // Our own write of a living Machine's server comes back as an event: reporting it again would never end.
  if (object.metadata.deletionTimestamp === undefined && env.cache.inStep.isServed(object)) return undefined;
  return intakeEvent(env, object);
}
