import type { HookPoint } from '../dialects/dialect.ts';
import { isTerminating } from '../dialects/fields.ts';
import type { GatedStep } from '../dialects/gate.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { Machine, ObjectRef } from '../machine/machine.ts';
import { controlledByAnother } from '../machine/owner.ts';
import type { Phase } from '../machine/phase.ts';
import { observeGate } from '../observe/gate.ts';
import type { Subject } from '../phase/definition.ts';
import { sayBypassed } from '../phase/guard.ts';
import { anotherNode, nothingWaitsFor } from '../phase/own-node.ts';
import { isHeldBeside } from '../phase/owner-message.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { isDetached } from '../volumes/attached.ts';
import type { PlannedPhase } from './deletion-plan.ts';
import type { PlannedNode } from './plan-node.ts';

export type Planned = Omit<PlannedPhase, 'phase'>;
type Planning = (snapshot: Snapshot, subject: Subject, node: PlannedNode) => Promise<Planned>;

const hooksAt =
  (point: HookPoint): Planning =>
  async (_look, { machine, dialect, nodeDeletion }) => {
    const hooks = dialect.hooks(machine, point);
    const bypassed = dialect.bypassedHooks(machine, point);
    const isSkipped = point === 'pre-drain' && !nodeDeletion.allowed;
    if (isSkipped)
      return { does: 'skip', why: `${nodeDeletion.why}${sayBypassed(point, [...hooks, ...bypassed])}` };
    if (hooks.length > 0) return { does: 'wait', why: dialect.hookMessage(machine, point) };
    return { does: 'pass', why: `no ${point} hook holds it${sayBypassed(point, bypassed)}` };
  };

async function shut(step: GatedStep, snapshot: Snapshot, subject: Subject): Promise<Planned | undefined> {
  const gate = await observeGate(snapshot, subject, step);
  return gate === undefined ? undefined : { does: 'skip', why: gate.why };
}

/** What the provider says of the instance now. It is only asked, and whether it can be is worth knowing. */
async function planServer(snapshot: Snapshot): Promise<Planned> {
  const asked = 'the provider is asked to delete the instance';
  try {
    const existence = await snapshot.serverExistence();
    if (existence.kind === 'absent') return { does: 'pass', why: 'the provider knows of no instance' };
    if (existence.kind === 'exists') return { does: 'work', why: asked };
    return { does: 'work', why: `${asked}; whether it exists it cannot tell now: ${existence.message}` };
  } catch (error) {
    if (error instanceof Unavailable) return { does: 'wait', why: error.message };
    throw error;
  }
}

async function planReferred(snapshot: Snapshot, machine: Machine, ref: ObjectRef): Promise<Planned> {
  const { object } = await snapshot.referred(ref);
  const name = `${ref.kind} ${ref.name}`;
  const foreign = controlledByAnother(machine, ref, object);
  if (foreign !== undefined) return { does: 'wait', why: foreign };
  if (object === undefined) return { does: 'pass', why: `${name} does not exist` };
  if (isTerminating(object)) return { does: 'wait', why: `${name} is being deleted` };
  return { does: 'work', why: `${name} is deleted` };
}

type NotOwn = NonNullable<PlannedNode['notOwn']>;

/** What is unknown holds; another server's Node is left alone. The API's own controller goes by the name. */
function planNotOwn({ machine, dialect }: Subject, { kind, why }: NotOwn): Planned {
  if (dialect.isObserved) return { does: 'work', why };
  if (dialect.beside !== undefined) return { does: isHeldBeside(machine, dialect) ? 'wait' : 'skip', why };
  return { does: kind === 'unknown' ? 'wait' : 'skip', why };
}

/** What a phase would do for a Machine that has come to it. */
export const planning: Record<Phase, Planning> = {
  'pre-drain': hooksAt('pre-drain'),

  async drain(snapshot, subject, { node, notOwn, plan, cordonedOther, unjudged, unread }) {
    const closed = await shut('drain', snapshot, subject);
    if (closed !== undefined) return closed;
    if (notOwn !== undefined) return planNotOwn(subject, notOwn);
    if (unread !== undefined) return { does: 'unknown', why: unread };
    if (node === undefined) return { does: 'pass', why: 'the Node does not exist' };
    if (cordonedOther !== undefined) {
      const { name } = cordonedOther.metadata;
      return {
        does: 'wait',
        why: `Node ${name} of the control plane is cordoned, and only one may be at a time`,
      };
    }
    if (unjudged !== undefined) return { does: 'wait', why: unjudged };
    const leaving = plan.batches.reduce((count, { pods }) => count + pods.length, 0);
    if (leaving === 0) return { does: 'pass', why: 'no Pod has to go' };
    const batches = plan.batches.length === 1 ? '1 batch' : `${plan.batches.length} batches`;
    return {
      does: 'work',
      why: `${leaving === 1 ? '1 Pod has' : `${leaving} Pods have`} to go, in ${batches}`,
    };
  },

  async 'volume-detach'(snapshot, subject, { node, notOwn, volumes, volumesUnjudged, ...seen }) {
    const closed = await shut('volume-detach', snapshot, subject);
    if (closed !== undefined) return closed;
    if (notOwn !== undefined)
      return subject.dialect.isDrainExcluded(subject.machine)
        ? { does: 'skip', why: notOwn.why }
        : planNotOwn(subject, notOwn);
    const unread = seen.unread ?? seen.volumesUnread;
    if (unread !== undefined) return { does: 'unknown', why: unread };
    if (node === undefined) return { does: 'pass', why: 'the Node does not exist' };
    if (volumesUnjudged !== undefined) return { does: 'wait', why: volumesUnjudged };
    if (volumes === undefined || isDetached(volumes))
      return { does: 'pass', why: 'no volume has to come off' };
    return { does: 'wait', why: 'volumes are attached to the Node' };
  },

  async 'hand-over'(_look, subject, { notOwn }) {
    const { dialect } = subject;
    const named = notOwn === undefined ? undefined : planNotOwn(subject, notOwn);
    if (named?.does === 'wait') return named;
    return { does: 'work', why: `${dialect.hold.name} is taken off: the API's own controller goes on` };
  },

  'pre-terminate': hooksAt('pre-terminate'),

  async infrastructure(snapshot, { machine, dialect }) {
    if (dialect.termination.by === 'actuator') return planServer(snapshot);
    if (machine.infrastructure === undefined) return { does: 'pass', why: 'the Machine refers to none' };
    return planReferred(snapshot, machine, machine.infrastructure);
  },

  async bootstrap(snapshot, { machine }) {
    if (machine.bootstrap === undefined) return { does: 'skip', why: 'the Machine refers to none' };
    return planReferred(snapshot, machine, machine.bootstrap);
  },

  async node(_look, subject, { node, notOwn, noAccess, unread }) {
    const { nodeDeletion } = subject;
    if (!nodeDeletion.allowed) return { does: 'skip', why: nodeDeletion.why };
    if (noAccess !== undefined) return { does: 'skip', why: `the Node is left behind: ${noAccess}` };
    if (notOwn !== undefined) return { does: subject.dialect.isObserved ? 'work' : 'skip', why: notOwn.why };
    if (node === undefined && unread !== undefined) return { does: 'unknown', why: unread };
    if (node === undefined) return { does: 'pass', why: 'the Node does not exist' };
    const { name, uid = '' } = node.metadata;
    const isNamed = name === subject.machine.nodeName;
    const another = isNamed ? anotherNode(subject, { name, uid }) : undefined;
    if (another !== undefined) return { does: 'skip', why: another };
    if (isTerminating(node)) return { does: 'pass', why: nothingWaitsFor(name) };
    return { does: 'work', why: `Node ${name} is deleted` };
  },

  async finalize(_look, { dialect }) {
    return { does: 'work', why: `the finalizer ${dialect.finalizer} is removed` };
  },
};
