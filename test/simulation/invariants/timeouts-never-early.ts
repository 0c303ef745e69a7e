import { textAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from './invariant.ts';
import { judging } from './sight/effect.ts';
import { limitOf, machineIn } from './sight/machine.ts';
import { transitionOf } from './sight/transition.ts';
import { machineRead, witnessOf } from './sight/witness.ts';

const limits = { drain: 'drain', 'volume-detach': 'volumes', node: 'node' } as const;
const starts: Readonly<Record<string, string>> = {
  drain: 'nodeDrainStartTime',
  'volume-detach': 'waitForNodeVolumeDetachStartTime',
};

/** Times in the status are whole seconds. */
const roundingMilliseconds = 1_000;

export const timeoutsNeverEarly: Invariant = {
  name: 'no time limit ends a phase before its time',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const entered = new Map<string, number>();
    let haveClocksJumped = false;
    const judge = judging(
      witness,
      ['write Machine'],
      (effect) => {
        const transition = transitionOf(effect);
        if (transition === undefined) return undefined;
        const { plan, machine, before, after, newlyPassed } = transition;
        const { uid = '' } = machine.metadata;
        if (!entered.has(`${uid} ${after.phase}`)) entered.set(`${uid} ${after.phase}`, world.now());
        for (const [phase, kind] of Object.entries(limits)) {
          if (newlyPassed.get(phase) !== 'timed-out') continue;
          const told = Date.parse(textAt(machine, 'status', 'deletion', starts[phase] ?? '') ?? '');
          const began = entered.get(`${uid} ${phase}`) ?? before?.since ?? world.now();
          const since = Math.min(before?.phase === phase ? before.since : began, ...(told > 0 ? [told] : []));
          const own = witness.reads.clockOf(effect.actor.instance) - since;
          const real = world.now() - Math.min(began, ...(told > 0 ? [told] : []));
          const isOver = witness.wasSoLately(effect.actor, [machineRead(plan)], (view) => {
            const limit = limitOf(machineIn(view, plan) ?? machine, kind) * 1_000;
            if (limit === 0) return false;
            return limit < 0 || (own >= limit && (haveClocksJumped || real + roundingMilliseconds >= limit));
          });
          if (!isOver) return `${phase} has timed out after ${Math.round(real / 1_000)} s`;
        }
        return undefined;
      },
      violated,
    );
    return {
      ...judge,
      before(exchange) {
        haveClocksJumped ||= witness.reads.clockOf(exchange.instance) !== world.now();
        judge.before?.(exchange);
      },
    };
  },
};
