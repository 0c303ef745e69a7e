import { putsOurHookOn } from '../scenario/beside.ts';
import type { Invariant } from './invariant.ts';
import { effectOf } from './sight/effect.ts';
import { isDeleting } from './sight/machine.ts';
import { witnessOf } from './sight/witness.ts';

/** The API's own controllers may be anywhere in its deletion by then, and would stop there. */
export const lateHooksAreNone: Invariant = {
  name: 'our hook comes on no Machine that is being deleted',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    let late: string | undefined;
    return {
      before(exchange) {
        late = undefined;
        if (!putsOurHookOn(exchange.body)) return;
        const effect = effectOf(exchange, witness);
        if (effect?.object !== undefined && isDeleting(effect.object)) late = effect.label;
      },
      after(_exchange, { code }) {
        if (late !== undefined && code < 300) violated(late);
        late = undefined;
      },
    };
  },
};
