import type { Advance } from '../announcement.ts';
import type { Stopwatch } from '../clock.ts';
import type { Dialect, NodeDeletion, Surroundings } from '../dialects/dialect.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import { beginningAt } from '../machine/future-starts.ts';
import { type Leg, nextLeg } from '../machine/itinerary.ts';
import type { Machine } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';
import { firstCheckpoint } from '../machine/progress.ts';
import type { Subject } from '../phase-definition.ts';
import type { Environment } from './environment.ts';
import { nodeNameOf } from './node-name.ts';
import { needsNodeDeletion, notAsked, unseenSurroundings, withControlPlane } from './surroundings.ts';

/** A Machine that a command is about, as it was read. */
export interface Standing {
  phase: Phase;
  command: Advance;
  machine: Machine;
  dialect: Dialect;
  age: Stopwatch;
}

/**
 * All that a phase has to know of a Machine before it looks at anything of its own: `near` was read before. Throws
 * CouldNotLook.
 */
export async function subjectOf(
  env: Environment,
  standing: Standing,
  saved: Checkpoint | undefined,
  near: Surroundings,
): Promise<Subject> {
  const { machine, dialect } = standing;
  // Nothing more is asked about a Machine that is left as it is, and so no answer that fails can hide that.
  if (dialect.pausedBy(machine, near).length > 0) return heldSubject(env, standing, saved, near);
  const hasPreDrainHooks = dialect.hooks(machine, 'pre-drain').length > 0;
  const wanted = needsNodeDeletion(dialect, saved?.phase, hasPreDrainHooks, machine);
  const surroundings = wanted ? await withControlPlane(env, machine, dialect, near) : near;
  const nodeName = wanted
    ? await nodeNameOf(env, { machine, dialect, saved, surroundings })
    : machine.nodeName;
  const found: Machine = nodeName === undefined ? machine : { ...machine, nodeName };
  const nodeDeletion: NodeDeletion = wanted ? dialect.nodeDeletion(found, surroundings) : notAsked;
  const checkpoint =
    saved ?? beginning(env, found, dialect, nextLeg(found, dialect, nodeDeletion, undefined));
  return { machine: found, dialect, checkpoint, surroundings, nodeDeletion };
}

/** It stands at the phase where its deletion would begin as far as it says itself, and begins nothing. */
function heldSubject(
  env: Environment,
  { machine, dialect }: Standing,
  saved: Checkpoint | undefined,
  surroundings: Surroundings,
): Subject {
  const leg = nextLeg(machine, dialect, { allowed: true }, undefined);
  const checkpoint = saved ?? beginning(env, machine, dialect, leg);
  return { machine, dialect, checkpoint, surroundings, nodeDeletion: notAsked };
}

/** As much of the subject as the Machine and what is near it tell: enough to say on it what could not be seen. */
export function blindSubject(
  env: Environment,
  { phase, machine, dialect }: Standing,
  saved: Checkpoint | undefined,
  surroundings = unseenSurroundings,
): Subject {
  const checkpoint = saved ?? beginning(env, machine, dialect, { phase, skipped: [] });
  return { machine, dialect, checkpoint, surroundings, nodeDeletion: notAsked };
}

const beginning = (env: Environment, machine: Machine, dialect: Dialect, leg: Leg): Checkpoint =>
  firstCheckpoint(machine.ref.uid, leg, beginningAt(machine, env.clock.now()), dialect.startTimes(machine));
