import { podsThatMustGo } from './drain-leaves-nothing.ts';
import type { Invariant } from './invariant.ts';
import { stillLeft } from './sight/drain-court.ts';
import { isLimitOver } from './sight/limits.ts';
import { judgingCheckpoints } from './sight/judging.ts';
import { isUnreachable } from './sight/pods.ts';
import { witnessOf } from './sight/witness.ts';

/** So long after its end a drain may be taken at its word. */
const believedMilliseconds = 6_000;

/** The server goes next: what has come to the Node while its volumes were waited for is drained as well. */
export const drainedToTheEnd: Invariant = {
  name: 'volumes are passed as done only when no Pod that must go has come to a drained Node since',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judgingCheckpoints(
      witness,
      ({ plan, machine, before, after, newlyPassed }, { actor }) => {
        if (newlyPassed.get('volume-detach') !== 'done' || after.phase === 'drain') return undefined;
        if (before?.phase !== 'volume-detach' || before.passed.get('drain') !== 'done') return undefined;
        // A clock that was behind may have it that volumes were waited for before the Machine was deleted.
        const since = Math.max(before.since, Date.parse(machine.metadata.deletionTimestamp ?? ''));
        const presents = witness.reads.presentsOf(actor.instance);
        if (presents.some((now) => Math.abs(now - since) <= believedMilliseconds)) return undefined;
        if (isLimitOver(machine, 'drain', presents)) return undefined;
        const left = stillLeft(witness, { actor, plan, machine }, (court) =>
          court.node === undefined || isUnreachable(court.node) ? [] : podsThatMustGo(court, plan),
        );
        return left.length === 0 ? undefined : `these Pods are on the Node again: ${left.join(', ')}`;
      },
      violated,
    );
  },
};
