import * as z from 'zod';
import { parseGoDuration, wholeSeconds } from '../time/duration.ts';

/** The group of our own kinds. */
export const ownGroup = 'phaseout.dev';

/** Our own kinds: which functions are asked, and how many Machines may begin at once. */
export type OwnKind = 'DeletionHook' | 'DrainPolicy';

/** A duration as Go writes it, in whole seconds. */
const secondsFrom = (least: bigint) =>
  z
    .string()
    .transform((text) => parseGoDuration(text))
    .refine((nanoseconds) => nanoseconds !== undefined && nanoseconds >= least, { error: 'is no duration' })
    .transform((nanoseconds) => wholeSeconds(nanoseconds ?? 0n));

/** A field of our own kinds with a duration, in whole seconds. */
export const duration = secondsFrom(1n);

/** The same, where none at all may be meant. */
export const durationOrNone = secondsFrom(0n);

/** Why an object of ours cannot be read. */
export const unreadableText = (
  kind: OwnKind,
  name: string,
  field: string,
  { issues: [issue] }: z.ZodError,
): string =>
  `${kind} ${name} cannot be read: ${[field, ...(issue?.path ?? [])].join('.')}: ${issue?.message}`;
