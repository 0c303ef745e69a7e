import type { Invariant } from './invariant.ts';
import { type EffectKind, effectOf } from './sight/effect.ts';
import { witnessOf } from './sight/witness.ts';

const removing: readonly EffectKind[] = [
  ...(['evict', 'cordon', 'delete Node', 'delete infrastructure', 'delete bootstrap'] as const),
  ...(['write Machine', 'write status'] as const),
];

/** Whose UID it is, the server tests. */
export const uidIsNamed: Invariant = {
  name: 'every eviction, every delete and every write of a Machine or Node names the UID that it means',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return {
      before(exchange) {
        const effect = effectOf(exchange, witness);
        if (effect === undefined) return;
        const isMeant = removing.includes(effect.kind) || exchange.verb === 'delete';
        if (isMeant && (effect.uid ?? '') === '') violated(`${effect.label}: no UID`);
      },
    };
  },
};
