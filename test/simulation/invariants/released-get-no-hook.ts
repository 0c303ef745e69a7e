import { textAt } from '../../../shared/dialects/fields.ts';
import { deletedForMove, ourHook, releasedBy } from '../scenario/beside.ts';
import type { Invariant } from './invariant.ts';
import { effectOf } from './sight/effect.ts';
import { witnessOf } from './sight/witness.ts';

/** Whoever has released it would have to do so again and again. */
export const releasedGetNoHook: Invariant = {
  name: 'our hook comes on no Machine that a person has released, or that is moved',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    let wrong: string | undefined;
    return {
      before(exchange) {
        wrong = undefined;
        if (textAt(exchange.body, 'metadata', 'annotations', ourHook) === undefined) return;
        const effect = effectOf(exchange, witness);
        const { annotations = {} } = effect?.object?.metadata ?? {};
        if (releasedBy in annotations || deletedForMove in annotations) wrong = effect?.label;
      },
      after(_exchange, { code }) {
        if (wrong !== undefined && code < 300) violated(wrong);
        wrong = undefined;
      },
    };
  },
};
