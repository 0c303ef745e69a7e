import * as z from 'zod';
import type { Machine } from './machine.ts';
import { isBefore, nodePhases, type Phase, phases } from './phase.ts';
import type { PhaseOutcome } from './reason.ts';

/** The annotation of a Machine that holds its checkpoint. Clusters have it: the name stays. */
export const checkpointAnnotation = 'phaseout.dev/checkpoint';

const instant = z.iso.datetime();

/**
 * What a Machine's annotation carries from one invocation to the next. It holds only what the world cannot say again. That is
 * the phase and its start, how earlier phases were passed, and the Node.
 */
const checkpointSchema = z.strictObject({
  v: z.literal(1),
  /** The Machine it was written for; a copied annotation is foreign. */
  uid: z.string().min(1),
  /** Counts transitions, so that a repeated event is recognised as one. */
  seq: z.int().min(0),
  phase: z.enum(phases),
  /** Start of the phase: when it was handed on, or with `reached` the start of its time limit. */
  since: instant,
  /** When the phase was handed on. Its time limit has started at `since`. */
  reached: instant.optional(),
  /** How earlier phases were passed, and when each was entered. */
  passed: z
    .partialRecord(
      z.enum(phases),
      z.strictObject({ as: z.enum(['done', 'excluded', 'timed-out', 'not-applicable']), since: instant }),
    )
    .default({}),
  /** UID of the Node that the first phase to see it has left. A later Node of that name is not ours. */
  node: z.string().min(1).optional(),
  /** When our hook was taken off: the API's own controller carries the deletion on. */
  released: instant.optional(),
});

/** Where the deletion of a Machine stands. Machines have it: fields stay, and new ones are optional. */
export type Checkpoint = z.infer<typeof checkpointSchema>;

type CheckpointReading =
  | { kind: 'none' }
  | { kind: 'valid'; checkpoint: Checkpoint }
  /** Present but unusable; `why` names what is wrong with it. */
  | { kind: 'unusable'; why: string };

/** Reads the annotation's text; never throws. */
export function parseCheckpoint(text: string | undefined, machineUid: string): CheckpointReading {
  if (text === undefined) return { kind: 'none' };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { kind: 'unusable', why: 'it is not JSON' };
  }
  const parsed = checkpointSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { kind: 'unusable', why: `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'invalid'}` };
  }
  if (parsed.data.uid !== machineUid) {
    return { kind: 'unusable', why: `it was written for a Machine with UID ${parsed.data.uid}` };
  }
  return { kind: 'valid', checkpoint: parsed.data };
}

/**
 * The checkpoint on a Machine whose API has these phases. Somebody may have written it by hand. A phase that the API does not
 * have says nothing of the ones before it.
 */
export function checkpointOn(
  { annotations, ref }: Pick<Machine, 'annotations' | 'ref'>,
  itsPhases: readonly Phase[],
): CheckpointReading {
  const reading = parseCheckpoint(annotations[checkpointAnnotation], ref.uid);
  if (reading.kind !== 'valid' || itsPhases.includes(reading.checkpoint.phase)) return reading;
  return { kind: 'unusable', why: `phase: ${reading.checkpoint.phase} is none of the API's` };
}

/** The same for who goes on without one that cannot be used as without any. */
export function usableCheckpoint(
  machine: Pick<Machine, 'annotations' | 'ref'>,
  itsPhases: readonly Phase[],
): Checkpoint | undefined {
  const reading = checkpointOn(machine, itsPhases);
  return reading.kind === 'valid' ? reading.checkpoint : undefined;
}

/** The text of the annotation. */
export const serializeCheckpoint = (checkpoint: Checkpoint): string => JSON.stringify(checkpoint);

/**
 * How a phase was passed. One that was stepped back before, or that the Machine is in, is not passed. What the checkpoint
 * still remembers of it does not count.
 */
export const passing = (checkpoint: Checkpoint, phase: Phase): PhaseOutcome | undefined =>
  isBefore(phase, checkpoint.phase) ? checkpoint.passed[phase]?.as : undefined;

/**
 * Whether the checkpoint shows that the Machine's Node may be touched. Where it may not, every phase that touches it is
 * passed over, from the first on.
 */
export function mayTouchNode(checkpoint: Checkpoint): boolean {
  if (isPast(checkpoint, 'pre-drain') && passing(checkpoint, 'pre-drain') !== 'not-applicable') return true;
  return nodePhases.some((phase) => {
    const as = passing(checkpoint, phase);
    return checkpoint.phase === phase || (as !== undefined && as !== 'not-applicable');
  });
}

/** Whether the phase was passed, in whatever way. */
export const isPast = (checkpoint: Checkpoint, phase: Phase): boolean => isBefore(phase, checkpoint.phase);

/** Whether the deletion is in the phase, or past it. */
export const hasReached = (checkpoint: Checkpoint, phase: Phase): boolean =>
  !isBefore(checkpoint.phase, phase);
