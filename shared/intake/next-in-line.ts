import { readOr } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { Advance } from '../machine/messages.ts';
import { policiesAgeMilliseconds } from '../phase/places.ts';
import { inLine } from '../policies/places.ts';
import { ownObjectsIn } from '../read/own-objects.ts';
import { memberOf } from '../read/policy-members.ts';
import { listMembers } from '../read/policy-view.ts';
import type { Environment } from '../runtime/environment.ts';
import { takeInDeleted } from './intake.ts';

/** The end of one Machine frees one place. Some of the first may wait for another policy, or for a window. */
const maxAsked = 5;

/**
 * The end of a Machine may free a place: commands for those that come first in the line. Nothing rests on it. A failed read, or a
 * lost event, leaves them to the time that they have set.
 */
export async function nextInLine(env: Environment, { metadata }: KubeObject): Promise<Advance[]> {
  const { namespace = '' } = metadata;
  if (env.dialects.every(({ isObserved }) => isObserved === true)) return [];
  return readOr([], async () => {
    const policies = await ownObjectsIn({ kind: 'DrainPolicy', namespace }, env, policiesAgeMilliseconds);
    if (policies === undefined || policies.length === 0) return [];
    const listed = await listMembers(env, namespace);
    const raws = new Map(listed.map(({ raw }) => [raw.metadata.uid ?? '', raw]));
    const members = listed.flatMap(({ machine, dialect }) =>
      machine === undefined ? [] : [memberOf(env, machine, { dialect, cluster: undefined })],
    );
    const first = inLine(members).filter(({ waitsElsewhere }) => !waitsElsewhere);
    return first.slice(0, maxAsked).flatMap(({ uid }) => {
      const raw = raws.get(uid);
      return raw === undefined ? [] : (takeInDeleted(env, raw) ?? []);
    });
  });
}
