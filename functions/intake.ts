import { onChange, onRemoval } from '../shared/follow/look.ts';
import { follow, followToEnd } from '../shared/intake/follow.ts';
import { isForUs } from '../shared/intake/hear.ts';
import { intakeEvent, isKnown } from '../shared/intake/intake.ts';
import type { KubeObject } from '../shared/kubernetes/objects.ts';
import type { Fact } from '../shared/machine/messages.ts';
import type { Environment, StepResult } from '../shared/runtime/environment.ts';

/** Takes an event of a Machine. The event only shows where to look, or how a deletion goes that others carry on. */
export async function intake(env: Environment, object: KubeObject): Promise<StepResult> {
  const { uid = '', resourceVersion } = object.metadata;
  if (isKnown(env, object) || env.pendingEvents.note(uid, resourceVersion)) return { facts: [] };
  const watched = await onChange(env, object);
  if (watched !== undefined) return { facts: watched };
  // The event of a write of ours may come before its answer.
  await env.machineQueue.settled(uid);
  if (isKnown(env, object)) return { facts: [] };
  const facts = await follow(env, object);
  if (facts !== undefined) return { facts };
  const next = await intakeEvent(env, object, { isHeard: true });
  if (next === undefined || !(await isForUs(env, next, object))) return { facts: [] };
  return { facts: [], next };
}

/** Takes the event that a Machine is gone. A step finds that out itself. This is for deletions that others carry on. */
export async function ended(env: Environment, object: KubeObject): Promise<readonly Fact[]> {
  const isOver = env.cache.isGone(object.metadata.uid ?? '');
  if (isOver) return [];
  return (await onRemoval(env, object)) ?? followToEnd(env, object);
}
