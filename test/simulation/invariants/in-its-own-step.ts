import type { Invariant } from './invariant.ts';
import { judging } from './sight/judging.ts';
import { titleOf } from './sight/machine.ts';
import { isStepOf } from './sight/reads.ts';
import { type EffectKind, sendsPodsAway } from './sight/seen-effect.ts';
import { witnessOf } from './sight/witness.ts';

const touching: readonly EffectKind[] = [
  ...sendsPodsAway,
  ...(['cordon', 'delete Node', 'delete infrastructure', 'delete bootstrap'] as const),
  ...(['take finalizer', 'hand over', 'mark drained'] as const),
];

/** An instance that takes one cluster, or one Node, for another touches what belongs to somebody else. */
export const inItsOwnStep: Invariant = {
  name: 'what belongs to a Machine is touched in a step of that Machine, and of no other one',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      touching,
      ({ plan, actor }) => {
        const steps = witness.reads.stepsOf(actor.instance);
        if (plan === undefined || steps === undefined) return undefined;
        if (steps.some((step) => isStepOf(step, plan))) return undefined;
        const others = steps.map(({ machine, phase }) => `${phase} of ${titleOf(machine)}`);
        return `it is ${titleOf(plan)}'s, and this is done in ${others.join(', ') || 'no step'}`;
      },
      violated,
    );
  },
};
