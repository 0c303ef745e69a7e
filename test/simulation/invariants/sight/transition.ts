import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { MachinePlan } from '../../scenario/model.ts';
import { type Stand, standOf, writtenStand } from './checkpoint.ts';
import { phasesOfObjects } from './machine.ts';
import type { Effect } from './seen-effect.ts';

/** A checkpoint that is about to be written, with the one that is there. */
export interface Transition {
  plan: MachinePlan;
  machine: KubeObject;
  before: Stand | undefined;
  after: Stand;
  /** Phases that count as passed by it, and did not before: how each was. */
  newlyPassed: ReadonlyMap<string, string>;
}

/** Undefined for a write that is not about the checkpoint, or of a Machine that is not there. */
export function transitionOf({ exchange, plan, object }: Effect): Transition | undefined {
  if (plan === undefined || object === undefined) return undefined;
  const after = writtenStand(exchange, object);
  if (after === undefined || after === 'unusable') return undefined;
  const before = standOf(object);
  // A phase that was gone back to has passed before, and has again once it is left.
  const isLeft = (phase: string): boolean => before?.phase === phase && after.phase !== phase;
  const newlyPassed = new Map(
    [...after.passed].filter(([phase, how]) => isLeft(phase) || before?.passed.get(phase) !== how),
  );
  return { plan, machine: object, before, after, newlyPassed };
}

/** Our finalizer goes: all that no checkpoint says to be passed is passed as done by it. */
export function lastTransitionOf({ plan, object }: Effect): Transition | undefined {
  const before = object && standOf(object);
  if (plan === undefined || object === undefined || before === undefined) return undefined;
  const open = [...phasesOfObjects(object), 'node'].filter((phase) => !before.passed.has(phase));
  const newlyPassed = new Map(open.map((phase) => [phase, 'done']));
  const passed = new Map([...before.passed, ...newlyPassed]);
  return { plan, machine: object, before, after: { ...before, phase: 'finalize', passed }, newlyPassed };
}
