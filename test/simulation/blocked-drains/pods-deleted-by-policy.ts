import type { Invariant } from '../invariants/invariant.ts';
import { effectOf } from '../invariants/sight/effect.ts';
import { witnessOf } from '../invariants/sight/witness.ts';
import { watchRulings } from './rulings.ts';

/** Its eviction was refused before, for as long as the DrainPolicy says that has it deleted. */
export const podsDeletedByPolicy: Invariant = {
  name: 'no Pod is deleted but one that was not let go, by its UID, where and when a DrainPolicy says so',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const rulings = watchRulings(world, witness);
    return {
      ...rulings.observer,
      before(exchange) {
        const effect = effectOf(exchange, witness);
        if (effect === undefined || exchange.verb !== 'delete' || exchange.resource !== 'pods') return;
        const { uid, label, object } = effect;
        if (uid === undefined) violated(`${label} without a UID`);
        if (object === undefined || (uid !== undefined && uid !== object.metadata.uid)) return;
        const why = rulings.whyNot(exchange.host, object, 'Delete');
        if (why !== undefined) violated(`${label}: ${why}`);
      },
    };
  },
};
