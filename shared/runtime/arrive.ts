import type { Advance } from '../announcement.ts';
import type { Instant } from '../clock.ts';
import { type Dialect, MachineUnreadable, type NodeDeletion } from '../dialects/dialect.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { CouldNotLook, type Resource } from '../kubernetes/port.ts';
import { type Checkpoint, checkpointAnnotation, parseCheckpoint } from '../machine/checkpoint.ts';
import { type Leg, nextLeg } from '../machine/itinerary.ts';
import { isDeleting, type Machine, type MachineRef } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';
import { firstCheckpoint } from '../machine/progress.ts';
import type { Subject } from '../phase-definition.ts';
import type { Environment } from './environment.ts';
import { nodeNameOf } from './node-name.ts';
import { needsNodeDeletion, notAsked, surroundingsOf, versionOf } from './surroundings.ts';

/** A Machine as a step finds it, and how current that knowledge is. */
export interface Arrived {
  subject: Subject;
  /** Whether the checkpoint is already on the Machine. */
  isSaved: boolean;
  /** Set when a checkpoint was there and could not be used. */
  unusable: string | undefined;
  seenAt: Instant;
}

export type Arrival =
  | { kind: 'here'; arrived: Arrived }
  /** What every step has to know first could not be read: nothing is done, and why is said on the Machine. */
  | { kind: 'blind'; arrived: Arrived; why: string }
  /** Nothing was saved yet, and the deletion begins at another phase. */
  | { kind: 'not-begun'; arrived: Arrived }
  /** The Machine stands at another phase: that one's handler is to be asked. */
  | { kind: 'elsewhere'; next: Advance }
  | { kind: 'gone' }
  | { kind: 'ignored'; why: string };

/**
 * Finds the Machine a command is about and where its deletion stands. The command only says where to look: an
 * older one is a repeat, and one for another phase is passed on.
 */
export async function arrive(
  env: Environment,
  phase: Phase,
  command: Advance,
  freshly: boolean,
): Promise<Arrival> {
  const dialect = dialectOf(env, command.machine);
  const known = await readMachine(env, dialect, command, freshly);
  if (known === undefined) return { kind: 'gone' };
  const machine = dialect.read(known.raw);
  const why = notOurs(env, machine, dialect);
  if (why !== undefined) return { kind: 'ignored', why };
  return arrivalAt(env, { phase, command, machine, dialect, seenAt: known.at });
}

export function dialectOf(env: Environment, ref: MachineRef): Dialect {
  const [group, version] = ref.apiVersion.split('/');
  const dialect = env.dialects.find((known) => known.group === group);
  if (dialect !== undefined && version !== undefined && dialect.versions.includes(version)) return dialect;
  const served = env.dialects.flatMap((known) => known.versions.map((v) => `${known.group}/${v}`)).join(', ');
  throw new MachineUnreadable(
    `Machine ${ref.namespace}/${ref.name}: unknown apiVersion "${ref.apiVersion}" (known: ${served})`,
  );
}

export const machineResource = (dialect: Dialect, ref: MachineRef): Resource =>
  dialect.resource(ref.apiVersion.split('/')[1] ?? '');

/** News of a Machine may be lost: what was seen longer ago than this is looked at again, changed or not. */
const machineAgeMilliseconds = 15_000;

async function readMachine(
  env: Environment,
  dialect: Dialect,
  { machine: ref, resourceVersion }: Advance,
  freshly: boolean,
): Promise<{ raw: KubeObject; at: Instant } | undefined> {
  const remembered = freshly ? undefined : env.memory.machine(ref.uid);
  const now = env.clock.now();
  if (remembered !== undefined && isAsNewAs(remembered.raw, resourceVersion)) {
    if (isWithin(machineAgeMilliseconds, remembered.at, now)) return remembered;
  }
  const { namespace, name } = ref;
  const raw = await env.management.get(machineResource(dialect, ref), { namespace, name });
  if (raw === undefined || raw.metadata.uid !== ref.uid) return undefined;
  env.memory.rememberMachine(raw, now);
  return { raw, at: now };
}

/** Only a command that says which version it means can be served from memory: others are news of a change. */
function isAsNewAs(raw: KubeObject, resourceVersion: string | undefined): boolean {
  if (resourceVersion === undefined) return false;
  if (raw.metadata.resourceVersion === resourceVersion) return true;
  return Number(raw.metadata.resourceVersion) > Number(resourceVersion);
}

/** What is said to be seen in the future was seen before the clock was set back: nobody knows how long ago. */
const isWithin = (milliseconds: number, at: Instant, now: Instant): boolean =>
  at <= now && now - at <= milliseconds;

const watchFilterLabel = 'cluster.x-k8s.io/watch-filter';

/** The watch filter accepts it; an empty filter accepts every Machine. */
export function isOurs(env: Environment, machine: Machine): boolean {
  const filter = env.settings.watchFilter;
  return filter === '' || machine.labels[watchFilterLabel] === filter;
}

function notOurs(env: Environment, machine: Machine, dialect: Dialect): string | undefined {
  if (!isOurs(env, machine)) return 'its watch filter is not ours';
  if (!isDeleting(machine)) return 'it is not being deleted';
  if (!machine.finalizers.includes(dialect.finalizer))
    return `the finalizer ${dialect.finalizer} is not on it`;
  return undefined;
}

interface Standing {
  phase: Phase;
  command: Advance;
  machine: Machine;
  dialect: Dialect;
  seenAt: Instant;
}

async function arrivalAt(env: Environment, standing: Standing): Promise<Arrival> {
  const { phase, command, machine, seenAt } = standing;
  const reading = parseCheckpoint(machine.annotations[checkpointAnnotation], machine.ref.uid);
  const saved = reading.kind === 'valid' ? reading.checkpoint : undefined;
  if (saved !== undefined && command.seq < saved.seq)
    return { kind: 'ignored', why: 'a repeat of an older step' };
  if (saved !== undefined && saved.phase !== phase) return elsewhere(machine, saved.phase, saved.seq);

  const unusable = reading.kind === 'unusable' ? reading.why : undefined;
  const isSaved = saved !== undefined;
  try {
    const subject = await subjectOf(env, standing, saved);
    const kind = subject.checkpoint.phase === phase ? 'here' : 'not-begun';
    return { kind, arrived: { subject, isSaved, unusable, seenAt } };
  } catch (error) {
    if (!(error instanceof CouldNotLook)) throw error;
    const subject = blindSubject(env, standing, saved);
    return { kind: 'blind', arrived: { subject, isSaved, unusable, seenAt }, why: error.message };
  }
}

async function subjectOf(
  env: Environment,
  { machine, dialect }: Standing,
  saved: Checkpoint | undefined,
): Promise<Subject> {
  const hasPreDrainHooks = dialect.hooks(machine, 'pre-drain').length > 0;
  const wanted = needsNodeDeletion(saved?.phase, hasPreDrainHooks, machine);
  const surroundings = await surroundingsOf(env, machine, dialect, { nodeDeletion: wanted });
  const nodeName = wanted
    ? await nodeNameOf(env, { machine, dialect, saved, surroundings })
    : machine.nodeName;
  const found: Machine = nodeName === undefined ? machine : { ...machine, nodeName };
  const nodeDeletion: NodeDeletion = wanted ? dialect.nodeDeletion(found, surroundings) : notAsked;
  const checkpoint =
    saved ?? beginning(env, found, dialect, nextLeg(found, dialect, nodeDeletion, undefined));
  return { machine: found, dialect, checkpoint, surroundings, nodeDeletion };
}

/** As much of the subject as the Machine alone tells: enough to say on it what could not be seen. */
function blindSubject(
  env: Environment,
  { phase, machine, dialect }: Standing,
  saved: Checkpoint | undefined,
): Subject {
  const cluster = { metadata: { name: machine.clusterName ?? '' } };
  const surroundings = { cluster, controlPlane: { kind: 'unseen' }, controlPlaneMembers: undefined } as const;
  const checkpoint = saved ?? beginning(env, machine, dialect, { phase, skipped: [] });
  return { machine, dialect, checkpoint, surroundings, nodeDeletion: notAsked };
}

const beginning = (env: Environment, machine: Machine, dialect: Dialect, leg: Leg): Checkpoint =>
  firstCheckpoint(machine.ref.uid, leg, env.clock.now(), dialect.startTimes(machine));

const elsewhere = (machine: Machine, phase: Phase, seq: number): Arrival => ({
  kind: 'elsewhere',
  next: { machine: machine.ref, phase, seq, resourceVersion: machine.resourceVersion },
});

/** Reads the Machine anew when it was last seen too long ago to act on; false when it has changed since. */
export async function isStillAsSeen(env: Environment, arrived: Arrived): Promise<boolean> {
  const { machine, dialect } = arrived.subject;
  const now = env.clock.now();
  if (isWithin(1_000, arrived.seenAt, now)) return true;
  const { namespace, name } = machine.ref;
  const raw = await env.management.get(dialect.resource(versionOf(machine)), { namespace, name });
  const isSame = raw !== undefined && raw.metadata.resourceVersion === machine.resourceVersion;
  if (isSame) arrived.seenAt = now;
  return isSame;
}
