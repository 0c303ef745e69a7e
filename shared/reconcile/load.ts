import type { Dialect } from '../dialects/dialect.ts';
import type { ClusterState } from '../dialects/status-input.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import { type Checkpoint, checkpointOn, usableCheckpoint } from '../machine/checkpoint.ts';
import { isDeleting, type Machine } from '../machine/machine.ts';
import type { Advance } from '../machine/messages.ts';
import type { Phase } from '../machine/phase.ts';
import { beginningAt } from '../machine/timestamps.ts';
import type { Subject } from '../phase/definition.ts';
import { type NextPhase, nextPhase } from '../phase/next-phase.ts';
import { firstCheckpoint, heldStand } from '../phase/transitions.ts';
import { findNode } from '../read/find-node.ts';
import { firstLeg } from '../read/hook-points.ts';
import { dialectOf, isOurs, readMachine } from '../read/machine.ts';
import {
  ClusterMissing,
  nearSurroundings,
  needsNodeDeletion,
  notAsked,
  unseenSurroundings,
  withControlPlane,
} from '../read/surroundings.ts';
import type { Environment } from '../runtime/environment.ts';
import { currentTrace } from '../runtime/telemetry.ts';
import type { Stopwatch } from '../time/clock.ts';

/** A Machine as a step finds it, and how current that knowledge is. */
export interface Arrived {
  subject: Subject;
  /** Whether the checkpoint is already on the Machine. */
  isSaved: boolean;
  /** Set if a checkpoint was there and could not be used. */
  unusable: string | undefined;
  /** Since the Machine was seen. */
  age: Stopwatch;
  /** Set if its Cluster could not be read: it is unknown whether the Machine is paused. */
  isPauseUnknown?: boolean;
}

export type Loaded =
  | { kind: 'here'; arrived: Arrived }
  /** A read failed that every step needs first. The step does nothing, and the Machine shows why. */
  | { kind: 'blind'; arrived: Arrived; why: Unavailable }
  /** Nothing was saved yet, and the deletion begins at another phase. */
  | { kind: 'not-begun'; arrived: Arrived }
  /** The Machine stands at another phase. The command goes to that phase's function. */
  | { kind: 'elsewhere'; next: Advance }
  | { kind: 'gone' }
  /** `saved`: where it stands, if the command is older than that. `left`: others have it now, with its drain undone. */
  | { kind: 'ignored'; why: string; saved?: Checkpoint; left?: Pick<Subject, 'machine' | 'dialect'> };

/**
 * Finds the Machine of a command, and where its deletion stands. The command only shows where to look. An older one
 * is a repeat, and one for another phase is passed on.
 */
export async function load(
  env: Environment,
  phase: Phase,
  command: Advance,
  freshly: boolean,
): Promise<Loaded> {
  const dialect = dialectOf(env, command.machine);
  const known = await readMachine(env, dialect, command, freshly);
  if (known === undefined) return { kind: 'gone' };
  const machine = dialect.read(known.raw);
  const why = notOurs(env, machine, dialect);
  if (why !== undefined)
    return { kind: 'ignored', why, ...(isInDrain(machine, dialect) && { left: { machine, dialect } }) };
  return arrivalAt(env, { phase, command, machine, dialect, age: known.age });
}

const isInDrain = (machine: Machine, { phases }: Dialect): boolean =>
  usableCheckpoint(machine, phases)?.phase === 'drain';

function notOurs(env: Environment, machine: Machine, dialect: Dialect): string | undefined {
  if (!isOurs(env, machine, dialect)) return 'its namespace or watch filter is not ours';
  if (!isDeleting(machine)) return 'it is not being deleted';
  return dialect.hold.isOn(machine) ? undefined : `${dialect.hold.name} is not on it`;
}

interface Addressed extends AskedAbout {
  command: Advance;
  age: Stopwatch;
}

async function arrivalAt(env: Environment, standing: Addressed): Promise<Loaded> {
  const { phase, command, machine, dialect, age } = standing;
  const reading = checkpointOn(machine, dialect.phases);
  const saved = reading.kind === 'valid' ? reading.checkpoint : undefined;
  if (saved !== undefined && command.seq < saved.seq) {
    forgetOlder(env, machine);
    return { kind: 'ignored', why: 'a repeat of an older step', saved };
  }
  env.cache.rememberMachine(machine.raw, age);
  if (saved !== undefined && saved.phase !== phase) return elsewhere(env, machine, saved);

  const unusable = reading.kind === 'unusable' ? reading.why : undefined;
  const stands = saved && heldStand(saved, machine, dialect, env.clock.now());
  const isSaved = saved !== undefined && stands === saved;
  let near: ClusterState | undefined;
  try {
    near = await nearSurroundings(env, machine, dialect);
    const subject = await subjectOf(env, standing, stands, near);
    const kind = subject.checkpoint.phase === phase ? 'here' : 'not-begun';
    return { kind, arrived: { subject, isSaved, unusable, age } };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const subject = unreadSubject(env, standing, stands, near);
    const isPauseUnknown = near === undefined && !(error instanceof ClusterMissing);
    const arrived = { subject, isSaved, unusable, age, isPauseUnknown };
    return { kind: 'blind', arrived, why: error };
  }
}

/**
 * The answer to a save may have been lost. A due look goes by the cache, and would ask for the older step for ever.
 * What was read here led to no decision, so it is not cached: its event must stay news.
 */
function forgetOlder({ cache }: Environment, { ref: { uid }, resourceVersion }: Machine): void {
  if (cache.machine(uid)?.raw.metadata.resourceVersion !== resourceVersion) cache.forgetMachine(uid);
}

const elsewhere = (env: Environment, machine: Machine, { phase, seq }: Checkpoint): Loaded => ({
  kind: 'elsewhere',
  next: { machine: machine.ref, phase, seq, resourceVersion: machine.resourceVersion, ...currentTrace(env) },
});

/** A Machine as it was read, for the function of a phase. */
interface AskedAbout {
  phase: Phase;
  machine: Machine;
  dialect: Dialect;
}

/** All that a phase must know of a Machine before its own reads. `near` was read before. Throws Unavailable. */
export async function subjectOf(
  env: Environment,
  asked: AskedAbout,
  saved: Checkpoint | undefined,
  near: ClusterState,
): Promise<Subject> {
  const { machine, dialect } = asked;
  // A Machine that is left as it is needs no more reads. So no failed read can hide that.
  if (dialect.pausedBy(machine, near).length > 0) {
    // It begins nothing, and stands where its deletion would begin by the Machine alone.
    const leg = nextPhase(machine, dialect, { allowed: true });
    return unjudged(env, { machine, dialect, saved, surroundings: near, leg });
  }
  const hasPreDrainHooks = dialect.hooks(machine, 'pre-drain').length > 0;
  const wanted = needsNodeDeletion(dialect, saved?.phase, hasPreDrainHooks, machine);
  const surroundings = wanted ? await withControlPlane(env, machine, dialect, near) : near;
  const found = wanted
    ? await findNode(env, { machine, dialect, saved, surroundings })
    : { machine, nodeDeletion: notAsked };
  // A deletion that has not begun waits for an answer that is missing now and then.
  if (saved === undefined && found.nodeDeletion.allowed && found.nodeSearch?.kind === 'unread')
    throw found.nodeSearch.why;
  const checkpoint =
    saved ?? beginning(env, found.machine, dialect, await firstLeg(env, { ...found, dialect, surroundings }));
  return { dialect, checkpoint, surroundings, ...found };
}

/** The subject by the Machine and what is near it alone. That is enough to report what could not be read. */
function unreadSubject(
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

/** The subject without the check whether its Node may be touched. */
function unjudged(env: Environment, { leg, saved, ...known }: Unjudged): Subject {
  const checkpoint = saved ?? beginning(env, known.machine, known.dialect, leg);
  return { ...known, checkpoint, nodeDeletion: notAsked };
}

const beginning = (env: Environment, machine: Machine, dialect: Dialect, leg: NextPhase): Checkpoint =>
  firstCheckpoint(machine.ref.uid, leg, beginningAt(machine, env.clock.now()), dialect.startTimes(machine));
