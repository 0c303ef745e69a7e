import type { Observer } from '../../observer.ts';
import type { World } from '../../world.ts';
import { type Fact, factOf } from './fact.ts';

const keyOf = (machineUid: string): string => `machine#${machineUid}`;

/** What the table says of a Machine. */
export const recordsOf = ({ table }: World, machineUid: string) =>
  table.items().filter(({ pk }) => pk?.S === keyOf(machineUid));

/** When Machines are to be looked at, by the table. */
export const looksIn = ({ table }: World): { machineUid: string; at: number; isClaimed: boolean }[] =>
  table
    .items()
    .filter(({ sk }) => sk?.S === 'due')
    .map(({ pk, dueAt, claimedBy }) => ({
      machineUid: (pk?.S ?? '').replace(keyOf(''), ''),
      at: Number(dueAt?.N),
      isClaimed: claimedBy !== undefined,
    }));

/** Listens to whether anything was ever wrong with the store. */
interface StoreWatch extends Observer {
  isTroubled: () => boolean;
}

/** An instance that stands still over the store's answer says so. */
export function watchStore(): StoreWatch {
  let isTroubled = false;
  return {
    hit(fault) {
      isTroubled ||= fault.startsWith('store-');
    },
    logged(_instance, _level, message) {
      isTroubled ||= message.startsWith('The store does not answer');
    },
    isTroubled: () => isTroubled,
  };
}

/** Judges facts as long as nothing was ever wrong with the store: what is published by then is on record. */
export function whileStoreIsWell(judge: (fact: Fact) => void): Observer {
  const store = watchStore();
  return {
    ...store,
    event(event) {
      const fact = store.isTroubled() ? undefined : factOf(event);
      if (fact !== undefined) judge(fact);
    },
  };
}
