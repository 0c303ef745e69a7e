import { hasHook } from '../dialects/beside/hook.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { type Asked, askedAt, askedOf, isPending } from '../hooks/asked.ts';
import { selectHooks } from '../hooks/deletion-hook.ts';
import { type Described, describedBy } from '../hooks/described.ts';
import { whyBypassed } from '../hooks/ends.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { isPast } from '../machine/checkpoint.ts';
import { type HookPlace, hookPlaces, pointOf, shortHook } from '../machine/hook-call.ts';
import { isDeleting, type Machine } from '../machine/machine.ts';
import type { Subject } from './definition.ts';
import { bypassOf, clusterGoes, selectable } from './hooks.ts';

/** A DeletionHook that is for a Machine, and that it has not passed. */
export interface HookAhead
  extends Pick<Asked, 'name' | 'place' | 'order' | 'timeoutSeconds' | 'onTimeout' | 'contact' | 'runbook'> {
  /** Why its function is not asked for this Machine; absent where it is. */
  whyNot?: string;
}

/** All DeletionHooks that a Machine still has before it. */
export interface HooksAhead {
  hooks: readonly HookAhead[];
  /** Those that may be for it and hold it until that is known, a sentence each. */
  unclear: readonly { place: HookPlace; why: string }[];
  /** What is said of the hooks of others that are on the Machine, by `point/name`. */
  described: ReadonlyMap<string, Described>;
}

const unheard = "the API's own controller carries its deletion on, and waits for no function";

/** Why no function is asked, whatever DeletionHooks there are. Undefined where those that select a Machine are. */
export function whyNotAsked({
  isObserved,
  name,
  phases,
}: Pick<Dialect, 'isObserved' | 'name' | 'phases'>): string | undefined {
  if (!phases.includes(pointOf.PreDrain)) return `Machines of ${name} have no hooks`;
  return isObserved === true ? unheard : undefined;
}

/** Beside the API's own controller nothing holds the end of a server without our hook. Living Machines get it. */
function whyUnheld(machine: Machine, { beside }: Dialect, place: HookPlace): string | undefined {
  if (beside === undefined || place === 'PreDrain' || !isDeleting(machine)) return undefined;
  const hook = beside.hooks[place];
  return hasHook(machine.raw, hook) ? undefined : `the hook ${hook.name} is not on it`;
}

/** The same for one Machine, at a place. */
export const whyNotAskedFor = (machine: Machine, dialect: Dialect, place: HookPlace): string | undefined =>
  whyNotAsked(dialect) ?? whyUnheld(machine, dialect, place);

/** What a Machine's DeletionHooks are, as all say who tell of them. `objects`: those of its namespace. */
export function hooksAheadOf(subject: Subject, objects: readonly KubeObject[]): HooksAhead {
  const all = hookPlaces.map((place) => aheadAt(subject, place, objects));
  return {
    hooks: all.flatMap(({ hooks }) => hooks),
    unclear: all.flatMap(({ unclear }) => unclear),
    described: new Map(hookPlaces.flatMap((place) => describedAt(subject, place, objects))),
  };
}

function describedAt(
  { machine, dialect }: Subject,
  place: HookPlace,
  objects: readonly KubeObject[],
): [string, Described][] {
  const point = pointOf[place];
  const { namespace } = machine.ref;
  return dialect.hooks(machine, point).flatMap((hook): [string, Described][] => {
    const described = describedBy(objects, { namespace, place, name: shortHook(hook), machine });
    return described === undefined ? [] : [[`${point}/${hook}`, described]];
  });
}

function aheadAt(
  subject: Subject,
  place: HookPlace,
  objects: readonly KubeObject[],
): Omit<HooksAhead, 'described'> {
  const { machine, dialect, checkpoint } = subject;
  const never = whyNotAskedFor(machine, dialect, place);
  const point = pointOf[place];
  const isBehind = isPast(checkpoint, point) || dialect.isDone(machine, point);
  if (never === undefined && isBehind) return { hooks: [], unclear: [] };
  const selected = selectHooks(objects, place, selectable(subject));
  const asked = askedAt(machine, place) ?? selected.hooks.map(askedOf);
  const bypass = place === 'PreDrain' ? bypassOf(subject) : undefined;
  const around = { bypass, clusterGoes: clusterGoes(subject) };
  const hooks = asked.filter(isPending).map((each) => aheadFrom(each, never ?? whyBypassed(each, around)));
  const isHeld = never === undefined && bypass === undefined && askedAt(machine, place) === undefined;
  return { hooks, unclear: isHeld ? selected.unclear.map((why) => ({ place, why })) : [] };
}

function aheadFrom(asked: Asked, whyNot: string | undefined): HookAhead {
  const { name, place, order, timeoutSeconds, onTimeout, contact, runbook } = asked;
  return {
    name,
    place,
    order,
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(onTimeout !== undefined && { onTimeout }),
    ...(contact !== undefined && { contact }),
    ...(runbook !== undefined && { runbook }),
    ...(whyNot !== undefined && { whyNot }),
  };
}
