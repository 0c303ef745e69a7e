import type { GatedStep, HookPoint } from '../dialects/dialect.ts';
import type { Phase } from '../machine/phase.ts';
import { CouldNotLook } from '../kubernetes/port.ts';
import { observeGate } from '../observe-gate.ts';
import type { Subject } from '../phase-definition.ts';
import type { Look } from '../runtime/look.ts';
import { isDetached } from '../volumes/attached.ts';
import type { PlannedPhase } from './deletion-plan.ts';
import type { PlannedNode } from './plan-node.ts';

type Planned = Omit<PlannedPhase, 'phase'>;
type Planning = (look: Look, subject: Subject, node: PlannedNode) => Promise<Planned>;

/** Each phase of the Machine's API, and what it would do as things stand. */
export async function planPhases(look: Look, subject: Subject, node: PlannedNode): Promise<PlannedPhase[]> {
  const planned: PlannedPhase[] = [];
  for (const phase of subject.dialect.phases) {
    const isDone = subject.dialect.isDone(subject.machine, phase);
    planned.push({ phase, ...(isDone ? doneBefore : await planning[phase](look, subject, node)) });
  }
  return planned;
}

const doneBefore: Planned = { does: 'skip', why: 'the Machine says that it is done' };

const hooksAt =
  (point: HookPoint): Planning =>
  async (_look, { machine, dialect, nodeDeletion }) => {
    const hooks = dialect.hooks(machine, point);
    const bypassed = dialect.bypassedHooks(machine, point);
    const isSkipped = point === 'pre-drain' && !nodeDeletion.allowed;
    if (isSkipped)
      return { does: 'skip', why: `${nodeDeletion.why}${passedBy(point, [...hooks, ...bypassed])}` };
    if (hooks.length > 0) return { does: 'wait', why: dialect.hookMessage(machine, point) };
    return { does: 'pass', why: `no ${point} hook holds it${passedBy(point, bypassed)}` };
  };

/** Whoever has set a hook expects to be waited for. */
const passedBy = (point: HookPoint, hooks: readonly string[]): string =>
  hooks.length === 0 ? '' : `; its ${point} hooks are bypassed: ${hooks.join(', ')}`;

async function shut(step: GatedStep, look: Look, subject: Subject): Promise<Planned | undefined> {
  const gate = await observeGate(look, subject, step);
  return gate === undefined ? undefined : { does: 'skip', why: gate.why };
}

/** What the provider says of the instance now. It is only asked, and whether it can be is worth knowing. */
async function planServer(look: Look): Promise<Planned> {
  const asked = 'the provider is asked to delete the instance';
  try {
    const existence = await look.serverExistence();
    if (existence.kind === 'absent') return { does: 'pass', why: 'the provider knows of no instance' };
    if (existence.kind === 'exists') return { does: 'work', why: asked };
    return { does: 'work', why: `${asked}; whether it exists it cannot tell now: ${existence.message}` };
  } catch (error) {
    if (error instanceof CouldNotLook) return { does: 'wait', why: error.message };
    throw error;
  }
}

const planning: Record<Phase, Planning> = {
  'pre-drain': hooksAt('pre-drain'),

  async drain(look, subject, { node, plan, cordonedOther, unjudged }) {
    const closed = await shut('drain', look, subject);
    if (closed !== undefined) return closed;
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

  async 'volume-detach'(look, subject, { node, volumes, volumesUnjudged }) {
    const closed = await shut('volume-detach', look, subject);
    if (closed !== undefined) return closed;
    if (node === undefined) return { does: 'pass', why: 'the Node does not exist' };
    if (volumesUnjudged !== undefined) return { does: 'wait', why: volumesUnjudged };
    if (volumes === undefined || isDetached(volumes))
      return { does: 'pass', why: 'no volume has to come off' };
    return { does: 'wait', why: 'volumes are attached to the Node' };
  },

  'pre-terminate': hooksAt('pre-terminate'),

  async infrastructure(look, { machine, dialect }) {
    if (dialect.termination.by === 'actuator') return planServer(look);
    if (machine.infrastructure === undefined) return { does: 'pass', why: 'the Machine refers to none' };
    const { object } = await look.referred(machine.infrastructure);
    const { kind, name } = machine.infrastructure;
    if (object === undefined) return { does: 'pass', why: `${kind} ${name} does not exist` };
    return { does: 'work', why: `${kind} ${name} is deleted` };
  },

  async bootstrap(look, { machine }) {
    if (machine.bootstrap === undefined) return { does: 'skip', why: 'the Machine refers to none' };
    const { object } = await look.referred(machine.bootstrap);
    const { kind, name } = machine.bootstrap;
    if (object === undefined) return { does: 'pass', why: `${kind} ${name} does not exist` };
    return { does: 'work', why: `${kind} ${name} is deleted` };
  },

  async node(_look, { nodeDeletion, machine }, { node, noAccess }) {
    if (!nodeDeletion.allowed) return { does: 'skip', why: nodeDeletion.why };
    if (noAccess !== undefined) return { does: 'skip', why: `the Node is left behind: ${noAccess}` };
    if (node === undefined) return { does: 'pass', why: 'the Node does not exist' };
    return { does: 'work', why: `Node ${machine.nodeName} is deleted` };
  },

  async finalize(_look, { dialect }) {
    return { does: 'work', why: `the finalizer ${dialect.finalizer} is removed` };
  },
};
