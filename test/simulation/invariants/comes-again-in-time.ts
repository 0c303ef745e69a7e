import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { witnessOf } from './sight/witness.ts';

/** An instance that saw its budget allow an eviction may try at once, and be late. It must not repeat that. */
const maxTooSoon = 2;

interface Told {
  /** What was on its way by then was not sent in spite of it. */
  at: number;
  until: number;
  tooSoon: number;
}

export const comesAgainInTime: Invariant = {
  name: 'whoever is told when to try an eviction again does not do so before',
  watch(world, scenario, violated) {
    const { reads } = witnessOf(world, scenario);
    const told = new Map<string, Told>();
    const unheard = new WeakMap<Exchange, Told>();
    return {
      after(exchange, answer) {
        if (exchange.resource !== 'pods/eviction' || answer.code !== 429 || reads.haveClocksJumped()) return;
        const seconds = recordAt(answer.body, 'details')['retryAfterSeconds'];
        if (typeof seconds !== 'number') return;
        const before = told.get(keyOf(exchange));
        const isTooSoon =
          before !== undefined && before.at <= reads.leftAt(exchange) && world.now() < before.until;
        const tooSoon = isTooSoon ? before.tooSoon + 1 : 0;
        unheard.set(exchange, { at: Infinity, until: world.now() + seconds * 1_000, tooSoon });
        if (tooSoon > maxTooSoon)
          violated(
            `${exchange.instance} asks again for the Pod ${exchange.namespace}/${exchange.name}: ${tooSoon} times sooner than it was told`,
          );
      },
      heard(exchange) {
        const answer = unheard.get(exchange);
        if (answer !== undefined) told.set(keyOf(exchange), { ...answer, at: world.now() });
      },
    };
  },
};

const keyOf = ({ instance, body }: Exchange): string =>
  `${instance} ${textAt(body, 'deleteOptions', 'preconditions', 'uid')}`;
