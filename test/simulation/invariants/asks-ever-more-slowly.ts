import { textAt } from '../../../shared/dialects/fields.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { watchTrouble } from './sight/trouble.ts';
import { witnessOf } from './sight/witness.ts';

/** After the first refusal, and after many: half of it at least is kept. */
const shortestMilliseconds = 100;
const longestMilliseconds = 5_000;

interface Refused {
  /** In a row, with no change of any budget between. */
  times: number;
  at: number;
  budgets: number;
}

const isRefusal = (code: number): boolean => code >= 400 && code !== 404 && code !== 409;

/** Where several instances look after one Pod each of them may ask as the other one does. */
export const asksEverMoreSlowly: Invariant = {
  name: 'a Pod that is refused is asked for ever more slowly, unless a budget has changed',
  watch(world, scenario, violated) {
    const { past } = witnessOf(world, scenario);
    const refused = new Map<string, Refused>();
    const unheard = new WeakMap<Exchange, number>();
    const trouble = watchTrouble(world, () => refused.clear());
    const budgets = (): number => past.changesOf('poddisruptionbudgets.policy');
    /** Undefined where a budget has changed since. */
    const known = (key: string): Refused | undefined => {
      const found = refused.get(key);
      return found?.budgets === budgets() ? found : undefined;
    };
    return {
      hit: trouble.hit,
      calm: trouble.calm,
      leaves(exchange) {
        const before = isEviction(exchange) ? known(keyOf(exchange)) : undefined;
        if (before === undefined || !trouble.isOver() || world.instances().length > 1) return;
        const least = Math.min(shortestMilliseconds * 2 ** (before.times - 1), longestMilliseconds);
        const passed = world.now() - before.at;
        if (passed < least)
          violated(
            `${exchange.instance} asks for the Pod ${exchange.namespace}/${exchange.name} after ${passed} ms, refused ${before.times} times`,
          );
      },
      after(exchange, { code }) {
        if (isEviction(exchange) && isRefusal(code)) unheard.set(exchange, budgets());
      },
      heard(exchange) {
        const before = unheard.get(exchange);
        if (before === undefined) return;
        const key = keyOf(exchange);
        refused.set(key, { times: (known(key)?.times ?? 0) + 1, at: world.now(), budgets: before });
      },
    };
  },
};

const isEviction = ({ resource, instance }: Exchange): boolean =>
  resource === 'pods/eviction' && instance.startsWith('instance');

const keyOf = ({ instance, body }: Exchange): string =>
  `${instance} ${textAt(body, 'deleteOptions', 'preconditions', 'uid')}`;
