import type { Dialect } from '../dialects/dialect.ts';
import type { ClusterState } from '../dialects/status-input.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';
import { beginningAt } from '../machine/timestamps.ts';
import type { Subject } from '../phase/definition.ts';
import { type NextPhase, nextPhase } from '../phase/next-phase.ts';
import { firstCheckpoint } from '../phase/transitions.ts';
import { findNode } from '../read/find-node.ts';
import { needsNodeDeletion, notAsked, unseenSurroundings, withControlPlane } from '../read/surroundings.ts';
import type { Environment } from '../runtime/environment.ts';

/** A Machine as it was read, for the handler of a phase. */
export interface AskedAbout {
  phase: Phase;
  machine: Machine;
  dialect: Dialect;
}

/**
 * All that a phase has to know of a Machine before it looks at anything of its own: `near` was read before. Throws
 * Unavailable.
 */
export async function subjectOf(
  env: Environment,
  asked: AskedAbout,
  saved: Checkpoint | undefined,
  near: ClusterState,
): Promise<Subject> {
  const { machine, dialect } = asked;
  // Nothing more is asked about a Machine that is left as it is, and so no answer that fails can hide that.
  if (dialect.pausedBy(machine, near).length > 0) {
    // It begins nothing, and stands where its deletion would begin as far as it says itself.
    const leg = nextPhase(machine, dialect, { allowed: true }, undefined);
    return unjudged(env, { machine, dialect, saved, surroundings: near, leg });
  }
  const hasPreDrainHooks = dialect.hooks(machine, 'pre-drain').length > 0;
  const wanted = needsNodeDeletion(dialect, saved?.phase, hasPreDrainHooks, machine);
  const surroundings = wanted ? await withControlPlane(env, machine, dialect, near) : near;
  const sought = wanted
    ? await findNode(env, { machine, dialect, saved, surroundings })
    : { machine, nodeDeletion: notAsked };
  // What has not begun waits for an answer that is missing now and then.
  if (saved === undefined && sought.nodeDeletion.allowed && sought.nodeSearch?.kind === 'unread')
    throw sought.nodeSearch.why;
  const leg = (): NextPhase => nextPhase(sought.machine, dialect, sought.nodeDeletion, undefined);
  const checkpoint = saved ?? beginning(env, sought.machine, dialect, leg());
  return { dialect, checkpoint, surroundings, ...sought };
}

/** As much of the subject as the Machine and what is near it tell: enough to say on it what could not be seen. */
export function unreadSubject(
  env: Environment,
  { phase, machine, dialect }: AskedAbout,
  saved: Checkpoint | undefined,
  surroundings = unseenSurroundings,
): Subject {
  return unjudged(env, { machine, dialect, saved, surroundings, leg: { phase, skipped: [] } });
}

interface Unjudged {
  machine: Machine;
  dialect: Dialect;
  saved: Checkpoint | undefined;
  surroundings: ClusterState;
  /** Where it stands if nothing was saved yet. */
  leg: NextPhase;
}

/** Whether its Node may be touched is not asked. */
function unjudged(env: Environment, { leg, saved, ...known }: Unjudged): Subject {
  const checkpoint = saved ?? beginning(env, known.machine, known.dialect, leg);
  return { ...known, checkpoint, nodeDeletion: notAsked };
}

const beginning = (env: Environment, machine: Machine, dialect: Dialect, leg: NextPhase): Checkpoint =>
  firstCheckpoint(machine.ref.uid, leg, beginningAt(machine, env.clock.now()), dialect.startTimes(machine));
