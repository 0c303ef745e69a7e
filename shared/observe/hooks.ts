import { type Asked, askedAt, isOpen } from '../hooks/asked.ts';
import { selectHooks } from '../hooks/deletion-hook.ts';
import { silenceOf } from '../hooks/silence.ts';
import { isSilent } from '../hooks/times.ts';
import { presentGroup } from '../hooks/turn.ts';
import type { HookPlace } from '../machine/hook-call.ts';
import type { Subject } from '../phase/definition.ts';
import { type HooksSeen, hooksAgeMilliseconds, selectable } from '../phase/hooks.ts';
import { type HooksAhead, hooksAheadOf, whyNotAsked } from '../phase/hooks-ahead.ts';
import type { Snapshot } from '../phase/snapshot.ts';

const nothing: HooksSeen['selected'] = { hooks: [], unclear: [] };

/**
 * What is to be known of the DeletionHooks at a place. Once the Machine says who is asked, no list is read. Undefined
 * where nothing is asked. Throws Unavailable: a list that cannot be read may hold the Machine.
 */
export async function observeHooks(
  snapshot: Snapshot,
  subject: Subject,
  place: HookPlace,
): Promise<HooksSeen | undefined> {
  if (whyNotAsked(subject.dialect) !== undefined) return undefined;
  const asked = askedAt(subject.machine, place);
  const { isForesight: isForeseen } = snapshot;
  if (asked !== undefined) {
    if (!asked.some(isOpen)) return undefined;
    const [records, hasKey] = await Promise.all([snapshot.hookRecords(), snapshot.hasHookKey()]);
    const undelivered = await undeliveredOf(snapshot, asked, records);
    return { place, asked, selected: nothing, records, undelivered, hasKey, isForeseen };
  }
  const { namespace } = subject.machine.ref;
  const objects = await snapshot.deletionHooks(namespace, hooksAgeMilliseconds);
  const selected = selectHooks(objects ?? [], place, selectable(subject));
  if (selected.hooks.length + selected.unclear.length === 0) return undefined;
  return { place, asked, selected, records: [], hasKey: await snapshot.hasHookKey(), isForeseen };
}

/** Names of those that no Trigger delivers the calls of. That is looked for only where one is silent, and nothing tells why. */
async function undeliveredOf(
  snapshot: Snapshot,
  asked: readonly Asked[],
  records: HooksSeen['records'],
): Promise<string[]> {
  const known = { records, now: snapshot.now() };
  const silent = presentGroup(asked).filter(
    (each) => isSilent(each, known) && silenceOf(each, known).cause === 'unanswered',
  );
  const delivers = await Promise.all(silent.map(({ name }) => snapshot.deliversCalls(name)));
  return silent.flatMap(({ name }, index) => (delivers[index] === false ? [name] : []));
}

/** The DeletionHooks that the Machine still has before it, asked or not. Throws Unavailable. */
export async function observeHooksAhead(snapshot: Snapshot, subject: Subject): Promise<HooksAhead> {
  const objects = await snapshot.deletionHooks(subject.machine.ref.namespace, hooksAgeMilliseconds);
  return hooksAheadOf(subject, objects ?? []);
}
