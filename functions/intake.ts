import { intakeEvent, isKnown } from '../shared/intake/intake.ts';
import type { KubeObject } from '../shared/kubernetes/objects.ts';
import type { Advance } from '../shared/machine/messages.ts';
import type { Environment } from '../shared/runtime/environment.ts';

/** Hears of a Machine. The event only says where to look. */
export async function intake(env: Environment, object: KubeObject): Promise<Advance | undefined> {
  // The event of a write of ours may come before its answer.
  await env.turns.settled(object.metadata.uid ?? '');
  return isKnown(env, object) ? undefined : intakeEvent(env, object);
}
