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
import { firstCheckpoint } from '../phase/transitions.ts';
import { findNode } from '../read/find-node.ts';
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
  /** Set when a checkpoint was there and could not be used. */
  unusable: string | undefined;
  /** Since the Machine was seen. */
  age: Stopwatch;
  /** Set when its Cluster could not be read: it is unknown whether the Machine is paused. */
  isPauseUnknown?: boolean;
}

export type Loaded =
  | { kind: 'here'; arrived: Arrived }
  /** What every step has to know first could not be read: nothing is done, and why is said on the Machine. */
  | { kind: 'blind'; arrived: Arrived; why: Unavailable }
  /** Nothing was saved yet, and the deletion begins at another phase. */
  | { kind: 'not-begun'; arrived: Arrived }
  /** The Machine stands at another phase: that one's handler is to be asked. */
  | { kind: 'elsewhere'; next: Advance }
  | { kind: 'gone' }
  /** `saved`: where it stands, if the command is older than that. `left`: it is others' now, with its drain undone. */
  | { kind: 'ignored'; why: string; saved?: Checkpoint; left?: Pick<Subject, 'machine' | 'dialect'> };

/**
 * Finds the Machine a command is about and where its deletion stands. The command only says where to look: an
 * older one is a repeat, and one for another phase is passed on.
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
  const isSaved = saved !== undefined;
  let near: ClusterState | undefined;
  try {
    near = await nearSurroundings(env, machine, dialect);
    const subject = await subjectOf(env, standing, saved, near);
    const kind = subject.checkpoint.phase === phase ? 'here' : 'not-begun';
    return { kind, arrived: { subject, isSaved, unusable, age } };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const subject = unreadSubject(env, standing, saved, near);
    const isPauseUnknown = near === undefined && !(error instanceof ClusterMissing);
    const arrived = { subject, isSaved, unusable, age, isPauseUnknown };
    return { kind: 'blind', arrived, why: error };
  }
}

/**
 * The answer to a save may have been lost. A look that is due goes by what is known: it would ask for the older step for ever.
 * What was read here was not decided on, and is not known either: its event would be passed over.
 */
function forgetOlder({ cache }: Environment, { ref: { uid }, resourceVersion }: Machine): void {
  if (cache.machine(uid)?.raw.metadata.resourceVersion !== resourceVersion) cache.forgetMachine(uid);
}

const elsewhere = (env: Environment, machine: Machine, { phase, seq }: Checkpoint): Loaded => ({
  kind: 'elsewhere',
  next: { machine: machine.ref, phase, seq, resourceVersion: machine.resourceVersion, ...currentTrace(env) },
});

/** A Machine as it was read, for the handler of a phase. */
interface AskedAbout {
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
  const found = wanted
    ? await findNode(env, { machine, dialect, saved, surroundings })
    : { machine, nodeDeletion: notAsked };
  // What has not begun waits for an answer that is missing now and then.
  if (saved === undefined && found.nodeDeletion.allowed && found.nodeSearch?.kind === 'unread')
    throw found.nodeSearch.why;
  const leg = (): NextPhase => nextPhase(found.machine, dialect, found.nodeDeletion, undefined);
  const checkpoint = saved ?? beginning(env, found.machine, dialect, leg());
  return { dialect, checkpoint, surroundings, ...found };
}

/** As much of the subject as the Machine and what is near it tell: enough to say on it what could not be seen. */
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

/** Whether its Node may be touched is not asked. */
function unjudged(env: Environment, { leg, saved, ...known }: Unjudged): Subject {
  const checkpoint = saved ?? beginning(env, known.machine, known.dialect, leg);
  return { ...known, checkpoint, nodeDeletion: notAsked };
}

const beginning = (env: Environment, machine: Machine, dialect: Dialect, leg: NextPhase): Checkpoint =>
  firstCheckpoint(machine.ref.uid, leg, beginningAt(machine, env.clock.now()), dialect.startTimes(machine));
