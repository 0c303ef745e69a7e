import { leftOn, whyNotSaid } from './drained-is-said.ts';
import { mayBeLetGo } from './hand-over-is-due.ts';
import type { Invariant } from './invariant.ts';
import { writtenStand } from './sight/checkpoint.ts';
import { longLeft } from './sight/drain-court.ts';
import { judging } from './sight/judging.ts';
import { watchTrouble } from './sight/trouble.ts';
import { witnessOf } from './sight/witness.ts';

/** The Node is looked at right before, and a request may be late. */
const believedMilliseconds = 8_000;

/** Its drain controller knows neither rules nor labels. Where looks take long the hook goes without that word. */
export const podsThatWereLeftStay: Invariant = {
  name: 'OpenShift is told that a drain is done before it could evict what a rule or a label lets stay, as long as nothing goes wrong',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const trouble = watchTrouble(world);
    return {
      ...judging(
        witness,
        ['hand over'],
        ({ plan, machine, actor, exchange }) => {
          if (plan?.api !== 'openshift' || machine === undefined || !trouble.isOver()) return undefined;
          const of = { plan, machine, actor };
          const stand = writtenStand(exchange, machine);
          const isDone = typeof stand === 'object' && stand.passed.get('drain') === 'done';
          if (!isDone || whyNotSaid(machine) !== undefined || mayBeLetGo(witness, of)) return undefined;
          const left = longLeft(witness, of, believedMilliseconds, (court) => leftOn(court, plan));
          return left.length === 0 ? undefined : `these Pods are left to it: ${left.join(', ')}`;
        },
        violated,
      ),
      hit: trouble.hit,
      calm: trouble.calm,
    };
  },
};
