import * as z from 'zod';
import { type HookPlace, hookEndings, hookPlaces, hookStates } from '../machine/hook-call.ts';
import type { Machine } from '../machine/machine.ts';
import type { DeletionHook } from './deletion-hook.ts';

/** The annotation of a Machine that says which DeletionHooks are asked for it. Clusters have it: the name stays. */
export const hooksAnnotation = 'phaseout.dev/hooks';

const instant = z.iso.datetime();
const choice = z.enum(['Hold', 'Proceed']);

/**
 * A DeletionHook as it was when the Machine reached its place, and its turn. Later edits of the DeletionHook do not
 * count. What a newer release adds is kept.
 */
const askedSchema = z.looseObject({
  name: z.string().min(1),
  uid: z.string().min(1),
  place: z.enum(hookPlaces),
  order: z.int(),
  everySeconds: z.int().min(1),
  silentAfterSeconds: z.int().min(1),
  timeoutSeconds: z.int().min(1).exactOptional(),
  onTimeout: choice.exactOptional(),
  whenGone: choice,
  onClusterDeletion: choice,
  labels: z.array(z.string()).exactOptional(),
  contact: z.string().exactOptional(),
  runbook: z.string().exactOptional(),
  /** When its turn began. */
  begin: instant.exactOptional(),
  /** Seconds of the turn in which nothing could be asked, such as a pause. Its time limit is longer by them. */
  stoppedSeconds: z.int().min(0).exactOptional(),
  /** When asking went on after that. */
  resumed: instant.exactOptional(),
  /** When it was asked last, where the record of its calls is lost. */
  called: instant.exactOptional(),
  /** What its function said last, and when it first said so. */
  said: z
    .looseObject({ state: z.enum(hookStates), message: z.string().exactOptional(), at: instant })
    .exactOptional(),
  /** Since when nothing was heard of it. */
  silentSince: instant.exactOptional(),
  /** Why, as far as anything tells. `text`: as it was when that began. */
  silence: z.looseObject({ cause: z.string(), text: z.string() }).exactOptional(),
  end: z
    .looseObject({
      as: z.enum(hookEndings),
      at: instant,
      /** The person who passed it. */
      by: z.string().exactOptional(),
      why: z.string(),
      /** What a person wrote is recorded with the next step. */
      isRecorded: z.boolean().exactOptional(),
    })
    .exactOptional(),
});

const annotationSchema = z.looseObject({
  v: z.literal(1),
  /** The Machine it was written for; a copied annotation is foreign. */
  uid: z.string().min(1),
  hooks: z.array(askedSchema),
});

/** A DeletionHook that is asked for a Machine. */
export type Asked = z.infer<typeof askedSchema>;

/** All that are asked for the Machine, as its annotation says. Empty where it has none, or none that can be used. */
export function askedOn({ annotations, ref }: Pick<Machine, 'annotations' | 'ref'>): Asked[] {
  const parsed = annotationSchema.safeParse(jsonOf(annotations[hooksAnnotation]));
  return parsed.success && parsed.data.uid === ref.uid ? parsed.data.hooks : [];
}

/** The same of one place; undefined where the Machine has not reached it, or nothing was to be asked there. */
export function askedAt(
  machine: Pick<Machine, 'annotations' | 'ref'>,
  place: HookPlace,
): Asked[] | undefined {
  const asked = askedOn(machine).filter((each) => each.place === place);
  return asked.length === 0 ? undefined : asked;
}

/** The text of the annotation. */
export const serializeAsked = (uid: string, hooks: readonly Asked[]): string =>
  JSON.stringify({ v: 1, uid, hooks });

/** A DeletionHook as it is written down when a Machine reaches its place. */
export function askedOf({ name, uid, spec }: DeletionHook): Asked {
  const { at: place, order, every, silentAfter, timeout, onTimeout, whenGone, onClusterDeletion } = spec;
  const { send, contact, runbook } = spec;
  return {
    name,
    uid,
    place,
    order,
    everySeconds: every,
    silentAfterSeconds: silentAfter,
    ...(timeout !== undefined && { timeoutSeconds: timeout, onTimeout: onTimeout ?? 'Hold' }),
    whenGone,
    onClusterDeletion,
    ...(send !== undefined && { labels: send.labels }),
    ...(contact !== undefined && { contact }),
    ...(runbook !== undefined && { runbook }),
  };
}

/** Whether the turn of the hook is still to end. */
export const isPending = ({ end }: Asked): boolean => end === undefined;

/** Whether something is to be done for it. Its turn goes on, or a person has passed it since the last step. */
export const isOpen = (asked: Asked): boolean => isPending(asked) || isPassedUnrecorded(asked);

/** Whether a person has passed it since the last step. */
export const isPassedUnrecorded = ({ end }: Asked): boolean =>
  end?.as === 'Passed' && end.isRecorded !== true;

/** The hooks of a Machine with those of this name passed by a person. Undefined where none of that name is waited for. */
export function withPassed(
  hooks: readonly Asked[],
  name: string,
  { by, why, at }: { by: string; why: string; at: string },
): Asked[] | undefined {
  if (!hooks.some((each) => each.name === name && isPending(each))) return undefined;
  const end = { as: 'Passed', at, by, why } as const;
  return hooks.map((each) => (each.name === name && isPending(each) ? { ...each, end } : each));
}

function jsonOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
