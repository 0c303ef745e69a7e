import { drainingCondition } from '../dialects/beside/hook.ts';
import { holdIn } from '../dialects/beside/phases.ts';
import { clusterApi } from '../dialects/capi/index.ts';
import { peerStage } from '../dialects/capi/peer-stage.ts';
import { conditionsIn, find } from '../dialects/conditions.ts';
import type { Dialect, HookPoint } from '../dialects/dialect.ts';
import type { NodeDeletion } from '../dialects/gate.ts';
import type { Condition } from '../kubernetes/objects.ts';
import { type Checkpoint, mayTouchNode, usableCheckpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import { type Phase, phases, reasonsOf } from '../machine/phase.ts';
import { presentAt, withoutFuture } from '../machine/timestamps.ts';
import type { Subject } from '../phase/definition.ts';
import { heldBy } from '../phase/guard.ts';
import { unseenSurroundings } from '../read/surroundings.ts';
import type { Instant } from '../time/clock.ts';
import { heldPhase, isAheadOfHooks } from './held-phase.ts';
import { wordsFor } from './stage-words.ts';

/** Who carries a deletion on: phaseout, or the Machine API's own controller. */
export type Carrier = 'phaseout' | 'controller';

/**
 * Where a Machine's deletion is, as far as the Machine alone tells. The checkpoint says where it was: what holds it now is what
 * the Machine says now.
 */
export interface Stage {
  by: Carrier;
  /** Hooks at these points hold it now, whatever phase it has come to; empty where none does. */
  heldAt: readonly HookPoint[];
  /** Of phaseout, where it carries the deletion on and has begun. */
  checkpoint?: Checkpoint;
  phase?: Phase;
  /** RFC 3339. */
  since?: string;
  reason: string;
  message: string;
}

/** Reads where the deletion stands from our checkpoint, or from what the API's own controller shows. */
export function stageOf(machine: Machine, dialect: Dialect, now: Instant): Stage {
  const stage = stageShown(machine, dialect, now);
  return {
    ...stage,
    heldAt: [],
    ...heldByHooks(stage, machine, dialect, now),
    ...overriding(machine, dialect),
  };
}

type Shown = Omit<Stage, 'heldAt'>;

function stageShown(machine: Machine, dialect: Dialect, now: Instant): Shown {
  if (dialect.isObserved === true) return theirStage(machine, dialect, false);
  const { checkpoint, isReleased } = ourCheckpoint(machine, dialect, now);
  const isHeldForUs = dialect.beside !== undefined && dialect.hold.isOn(machine);
  if (isHeldForUs && isAheadOfHooks(machine, dialect, checkpoint)) return theirStage(machine, dialect, true);
  return checkpoint !== undefined || isHeldForUs
    ? ourStage(machine, dialect, checkpoint)
    : theirStage(machine, dialect, isReleased);
}

/** The guard stands before every phase. A hook that was set late still holds, as in the APIs' own controllers. */
function heldByHooks(stage: Shown, machine: Machine, dialect: Dialect, now: Instant): Partial<Stage> {
  const { phase, since = '' } = stage;
  if (phase === undefined) return {};
  const checkpoint = stage.checkpoint ?? { v: 1, uid: machine.ref.uid, seq: 0, phase, since, passed: {} };
  const subject: Subject = {
    machine,
    dialect,
    checkpoint,
    surroundings: unseenSurroundings,
    nodeDeletion: nodeDeletionOf(machine, stage),
  };
  const heldAt = points.filter((point) => heldBy(point, subject, now) !== undefined);
  const [first] = heldAt;
  // What it says of the hooks of its own phase is said better there.
  if (first === undefined || heldAt.some((point) => point === phase)) return { heldAt };
  return { heldAt, ...wordsFor(first, machine, dialect) };
}

/** As far as the Machine tells: its Cluster is not asked. */
const nodeDeletionOf = ({ nodeName }: Machine, { checkpoint }: Shown): NodeDeletion =>
  (checkpoint === undefined ? nodeName !== undefined : mayTouchNode(checkpoint))
    ? { allowed: true }
    : { allowed: false, why: 'its Node is left alone' };

const points: readonly HookPoint[] = ['pre-drain', 'pre-terminate'];

function ourCheckpoint(machine: Machine, dialect: Dialect, now: Instant) {
  const saved = usableCheckpoint(machine, dialect.phases);
  if (saved === undefined) return { checkpoint: undefined, isReleased: false };
  if (saved.released !== undefined) return { checkpoint: undefined, isReleased: true };
  return { checkpoint: withoutFuture(saved, presentAt(machine, now)), isReleased: false };
}

/** Without a checkpoint phaseout has not begun: its hook holds the Machine for it. */
function ourStage(machine: Machine, dialect: Dialect, checkpoint: Checkpoint | undefined): Shown {
  const phase = heldPhase(checkpoint, machine, dialect);
  const wording = wordingOf(machine, dialect, phase);
  const words = wordsFor(phase, machine, dialect);
  if (checkpoint !== undefined)
    return { by: 'phaseout', phase, checkpoint, since: checkpoint.since, ...words, ...wording };
  const isFree = dialect.hooks(machine, phase === 'pre-terminate' ? phase : 'pre-drain').length === 0;
  const notBegun = isFree && { message: `phaseout has not begun yet: ${holdIn(phase, dialect)} holds it` };
  return { by: 'phaseout', phase, ...words, ...notBegun, ...wording };
}

type Wording = Pick<Stage, 'reason' | 'message'>;

/** What the Machine says of the phase: of another one it is old. */
function wordingOf(machine: Machine, dialect: Dialect, phase: Phase): Wording | undefined {
  const wording = conditionFor(machine, dialect, phase);
  const { reason = '', message = '' } = wording ?? {};
  const isOfAnother = reason === 'WaitingForDrainPolicy' && phase !== 'pre-drain';
  const isOld =
    isOfAnother || (reason !== reasonsOf(phase)[0] && phases.some((each) => reasonsOf(each)[0] === reason));
  return wording === undefined || isOld || message === '' ? undefined : { reason, message };
}

/** OpenShift has a condition for each of these; the reason is the phase's, where the condition has one for all. */
const openShiftTypes: Partial<Record<Phase, string>> = {
  'pre-drain': 'Drainable',
  drain: 'Drained',
  'pre-terminate': 'Terminable',
};

function conditionFor(
  machine: Machine,
  dialect: Dialect,
  phase: Phase,
): Pick<Condition, 'reason' | 'message'> | undefined {
  const list = conditionsIn(machine.raw.status);
  if (dialect.beside !== undefined) {
    const shown = find(list, drainingCondition);
    return phase === 'pre-terminate' ? shown : isTrue(shown);
  }
  if (dialect.group === clusterApi.group) return isTrue(find(list, 'Deleting'));
  const shown = find(list, openShiftTypes[phase] ?? '');
  if (shown?.status !== 'False') return undefined;
  return { ...shown, reason: reasonsOf(phase).find((each) => each === shown.reason) ?? reasonsOf(phase)[0] };
}

const isTrue = (condition: Condition | undefined): Condition | undefined =>
  condition?.status === 'True' ? condition : undefined;

/** As the API's own controller shows it. */
function theirStage(machine: Machine, dialect: Dialect, isReleased: boolean): Shown {
  if (dialect.group !== clusterApi.group) return otherStage(machine, dialect);
  const shown = peerStage(machine);
  if (shown !== undefined) {
    const { phase, message, since } = shown;
    const words = wordsFor(phase, machine, clusterApi);
    return { by: 'controller', phase, ...words, ...(since && { since }), ...(message && { message }) };
  }
  const { reason = 'Deleting', message } = isTrue(find(conditionsIn(machine.raw.status), 'Deleting')) ?? {};
  const silent = isReleased
    ? 'phaseout has handed it over, and its own controller shows nothing yet'
    : 'its own controller shows nothing of it yet';
  return { by: 'controller', reason, message: message || silent };
}

/** OpenShift's own controllers show what holds, and whether the drain is done; the original one shows nothing. */
function otherStage(machine: Machine, dialect: Dialect): Shown {
  if (!dialect.phases.includes('drain'))
    return {
      by: 'controller',
      reason: 'Deleting',
      message: 'its API shows no progress: see the log of its controller',
    };
  const phase = otherPhase(machine, dialect);
  const wording = wordingOf(machine, dialect, phase);
  return { by: 'controller', phase, ...wordsFor(phase, machine, dialect), ...wording };
}

function otherPhase(machine: Machine, dialect: Dialect): Phase {
  if (!dialect.isDone(machine, 'drain'))
    return dialect.hooks(machine, 'pre-drain').length > 0 ? 'pre-drain' : 'drain';
  return dialect.hooks(machine, 'pre-terminate').length > 0 ? 'pre-terminate' : 'infrastructure';
}

/** What keeps everything from the Machine, whatever phase it is in. */
function overriding(machine: Machine, dialect: Dialect): Partial<Stage> {
  const paused = find(conditionsIn(machine.raw.status), 'Paused');
  const causes = dialect.pausedBy(machine, unseenSurroundings);
  if (paused?.status === 'True' || causes.length > 0)
    return { reason: 'Paused', message: causes.join(', ') || paused?.message || 'it is paused' };
  const invalidity = dialect.invalidity(machine);
  if (invalidity !== undefined) return { reason: 'FailedValidate', message: invalidity };
  if (machine.finalizers.includes(dialect.finalizer)) return {};
  const others = machine.finalizers.join(', ');
  const message = `the finalizer ${dialect.finalizer} is gone: those of others keep it: ${others}`;
  return { phase: 'finalize', reason: 'DeletionCompleted', message };
}
