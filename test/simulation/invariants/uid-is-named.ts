import type { Invariant } from './invariant.ts';
import type { EffectKind } from './sight/effect.ts';
import { judgingRequests } from './sight/judging.ts';
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
    return judgingRequests(
      witness,
      ({ kind, exchange, uid = '' }) => {
        const isMeant = removing.includes(kind) || exchange.verb === 'delete';
        return isMeant && uid === '' ? 'no UID is named' : undefined;
      },
      violated,
    );
  },
};
