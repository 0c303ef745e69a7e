import { recordAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from './invariant.ts';
import { judging } from './sight/judging.ts';
import { isUnreachable } from './sight/pods.ts';
import { nodeRead, podsRead, witnessOf } from './sight/witness.ts';

/** The time that is left to Pods of a silent Node. */
const minSeconds = 1;

export const podsKeepTheirTime: Invariant = {
  name: 'an evicted Pod has the time to stop that it asks for, unless nobody hears from its Node',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      ['evict'],
      ({ plan, exchange, actor }) => {
        const seconds = recordAt(exchange.body, 'deleteOptions')['gracePeriodSeconds'];
        if (seconds === undefined || plan === undefined) return undefined;
        const isUnheard = witness.wasSoLately(actor, [nodeRead(plan), podsRead(plan)], (view) => {
          const node = view.get(plan.host, 'nodes', undefined, plan.node ?? '');
          return node !== undefined && isUnreachable(node);
        });
        if (!isUnheard) return 'its Node is heard from';
        return seconds === minSeconds ? undefined : `on such a Node it is ${minSeconds} s`;
      },
      violated,
    );
  },
};
