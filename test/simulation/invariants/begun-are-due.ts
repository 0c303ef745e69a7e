import type { InventedAnswer } from '../observer.ts';
import type { Invariant } from './invariant.ts';
import { effectOf } from './sight/effect.ts';
import { judgingCheckpoints } from './sight/judging.ts';
import { looksIn, watchStore } from './sight/on-record.ts';
import { witnessOf } from './sight/witness.ts';

/** The API server does not want to have it written, and another instance may have no such answer. */
const isRefusal = ({ code, message }: InventedAnswer): boolean =>
  code === 403 || code === 422 || message.includes('failed calling webhook');

/** If an instance dies right after its first write, only the list of all, minutes later, would find the Machine. */
export const begunAreDue: Invariant = {
  name: 'a deletion is begun only with a look at it on record',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const store = watchStore();
    /**
     * UIDs. An instance whose write was refused removes the look of the Machine, its own or another's. It sets a later
     * look afterwards.
     */
    const refused = new Set<string>();
    const judge = judgingCheckpoints(
      witness,
      ({ before, after, machine }) => {
        const { uid = '' } = machine.metadata;
        // One that was let go at once is Cluster API's own controller's.
        if (before !== undefined || after.released !== undefined || store.isTroubled() || refused.has(uid))
          return undefined;
        return looksIn(world).some(({ machineUid }) => machineUid === uid) ? undefined : 'nothing is due';
      },
      violated,
    );
    return {
      ...store,
      ...judge,
      invented(exchange, answer) {
        const effect = isRefusal(answer) ? effectOf(exchange, witness) : undefined;
        if (effect?.kind === 'write Machine') refused.add(effect.actor.machineUid);
      },
    };
  },
};
