import type { World } from '../world.ts';
import type { Invariant } from './invariant.ts';
import type { Fact } from './sight/fact.ts';
import { isFollowed } from './sight/followed.ts';
import { recordsOf, whileStoreIsWell } from './sight/on-record.ts';

/** What the history says of each of these, and how much later its number is than that of the entry. */
const entries: Readonly<Record<string, { what: string; later: number }>> = {
  'deletion.advanced': { what: 'advanced', later: 1 },
  'pod.evicted': { what: 'acted', later: 0 },
};

/** Such a one leaves the number as it is. */
const followed = { what: 'advanced', later: 0 };

/** A later reader learns there how a deletion went. It is kept under the number that the checkpoint had before. */
export const historyIsKept: Invariant = {
  name: 'what is told to be passed, or evicted, is in the history',
  watch: (world, _scenario, violated) =>
    whileStoreIsWell((fact) => {
      if (!isKept(world, fact)) violated(`${fact.id} is told, and no history has it`);
    }),
};

function isKept(world: World, fact: Fact): boolean {
  const { kind, uid, data } = fact;
  const entry = isFollowed(fact) ? followed : entries[kind];
  if (entry === undefined) return true;
  const number = `history#${String(Number(data['seq']) - entry.later).padStart(6, '0')}-`;
  return recordsOf(world, uid).some(
    ({ sk, what }) => sk?.S?.startsWith(number) === true && what?.S === entry.what,
  );
}
