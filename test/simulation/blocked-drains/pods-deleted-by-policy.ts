import { recordAt } from '../../../shared/dialects/fields.ts';
import { drainPolicies } from '../drain-policies/with-policies.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { effectOf } from '../invariants/sight/effect.ts';
import { witnessOf } from '../invariants/sight/witness.ts';
import type { World } from '../world.ts';

/** A Pod that is deleted was refused an eviction before, and a DrainPolicy says what is done then. */
export const podsDeletedByPolicy: Invariant = {
  name: 'no Pod is deleted but one that was not let go, by its UID, where a DrainPolicy and a grant say so',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    /** By UID of the Pod. */
    const refused = new Set<string>();
    return {
      before(exchange) {
        const effect = effectOf(exchange, witness);
        if (effect === undefined || exchange.verb !== 'delete' || exchange.resource !== 'pods') return;
        const { uid, label } = effect;
        if (uid === undefined) violated(`${label} without a UID`);
        else if (!refused.has(uid)) violated(`${label}, whose eviction was never refused`);
        if (!world.config.actions?.has('Delete')) violated(`${label} without a grant`);
        if (!isAskedFor(world)) violated(`${label}, and no DrainPolicy says so`);
      },
      after(exchange, { code }) {
        const effect = effectOf(exchange, witness);
        if (effect?.kind === 'evict' && code >= 400 && effect.uid !== undefined) refused.add(effect.uid);
      },
    };
  },
};

const isAskedFor = ({ management }: World): boolean =>
  management
    .list(drainPolicies)
    .some((policy) => JSON.stringify(recordAt(policy, 'spec')['blocked'] ?? []).includes('"Delete"'));
