import { podsThatMustGo } from './drain-leaves-nothing.ts';
import type { Invariant } from './invariant.ts';
import { farGrace, wasSoAround } from './sight/apart.ts';
import { longLeft, stillLeft } from './sight/drain-court.ts';
import { isDrainShut, isNodeOfAnother } from './sight/gate.ts';
import { judgingCheckpoints } from './sight/judging.ts';
import { machineIn } from './sight/machine.ts';
import type { View } from './sight/past.ts';
import type { Court } from './sight/pods.ts';
import { witnessOf } from './sight/witness.ts';

/** So long after its end a drain may be taken at its word. */
const believedMilliseconds = 6_000;

/** A look at Pods may go by rules that are this old. */
const lookedMilliseconds = 12_000;

/** Where the Node may not be touched, or has no server any more, nothing is drained either. */
const ends = new Set<string | undefined>(['done', 'timed-out', 'excluded']);

/**
 * The server goes next. So Pods that came to the Node during the wait for volumes are drained as well. That holds also
 * where the wait has ended.
 */
export const drainedToTheEnd: Invariant = {
  name: 'the wait for volumes ends only when no Pod that must go has come to a drained Node since',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judgingCheckpoints(
      witness,
      ({ plan, machine, before, after, newlyPassed }, { actor }) => {
        if (!ends.has(newlyPassed.get('volume-detach')) || after.phase === 'drain') return undefined;
        if (before?.phase !== 'volume-detach' || before.passed.get('drain') !== 'done') return undefined;
        // A clock that was behind may have it that volumes were waited for before the Machine was deleted.
        const since = Math.max(before.since, Date.parse(machine.metadata.deletionTimestamp ?? ''));
        const presents = witness.reads.presentsOf(actor.instance);
        if (presents.some((now) => Math.abs(now - since) <= believedMilliseconds)) return undefined;
        const of = { actor, plan, machine };
        const isShut = (view: View): boolean =>
          isDrainShut(view, machineIn(view, plan) ?? machine, presents) ||
          isNodeOfAnother(view, machineIn(view, plan) ?? machine, plan);
        if (wasSoAround(witness, of, isShut, farGrace)) return undefined;
        const ofPlan = (court: Court): string[] => podsThatMustGo(court, plan);
        const left = stillLeft(witness, of, ofPlan);
        const all = left.length > 0 ? left : longLeft(witness, of, lookedMilliseconds, ofPlan);
        return all.length === 0 ? undefined : `these Pods are on the Node again: ${all.join(', ')}`;
      },
      violated,
    );
  },
};
