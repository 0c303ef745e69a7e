import type { Item } from '../../../shared/adapters/dynamodb/attributes.ts';
import { compareValues } from './attribute-values.ts';

/** The attributes by which a table or an index finds items: one names the partition, one orders it. */
export interface Keys {
  hash: string;
  range: string;
}

/** The table itself, or an index of it: its items in partitions, and how it came to be so. */
export interface View {
  keys: Keys;
  /** `before` is the item that `after` takes the place of; undefined where there is none. */
  write(before: Item | undefined, after: Item | undefined): void;
  /** The item with the keys of this one. */
  find(like: Item): Item | undefined;
  /** A partition in its order, as it was so many changes of this view ago; at least 0. */
  read(partition: string, changesAgo: number): readonly Item[];
  all(): Item[];
}

interface Change {
  before: Item | undefined;
  after: Item | undefined;
}

interface Partition {
  items: Map<string, Item>;
  /** Until the next write: most partitions are read more often than they are written. */
  inOrder?: readonly Item[] | undefined;
}

/** What tells an item from all others. */
const keyOf = (item: Item): string => `${item['pk']?.S}\n${item['sk']?.S}`;

export function createView(keys: Keys): View {
  const partitions = new Map<string, Partition>();
  const changes: Change[] = [];

  return {
    keys,
    write(before, after) {
      const change = { before: belonging(before, keys), after: belonging(after, keys) };
      if (change.before === undefined && change.after === undefined) return;
      changes.push(change);
      if (change.before !== undefined) written(partitions, change.before, keys).delete(keyOf(change.before));
      if (change.after !== undefined) {
        written(partitions, change.after, keys).set(keyOf(change.after), change.after);
      }
    },
    find: (like) => partitions.get(like[keys.hash]?.S ?? '')?.items.get(keyOf(like)),
    read(name, changesAgo) {
      const partition = partitions.get(name);
      if (changesAgo === 0) return partition === undefined ? [] : inOrder(partition, keys);
      const items = new Map(partition?.items);
      takeBack(items, changes.slice(-changesAgo), (item) => item[keys.hash]?.S === name);
      return [...items.values()].toSorted(inOrderOf(keys));
    },
    all: () => [...partitions.values()].flatMap(({ items }) => [...items.values()]),
  };
}

function inOrder(partition: Partition, keys: Keys): readonly Item[] {
  partition.inOrder ??= [...partition.items.values()].toSorted(inOrderOf(keys));
  return partition.inOrder;
}

/** An item without the keys of an index is not in it. */
const belonging = (item: Item | undefined, keys: Keys): Item | undefined =>
  item?.[keys.hash] === undefined || item[keys.range] === undefined ? undefined : item;

/** The items of the partition that is written to. */
function written(partitions: Map<string, Partition>, item: Item, keys: Keys): Map<string, Item> {
  const name = item[keys.hash]?.S ?? '';
  const partition = partitions.get(name) ?? { items: new Map<string, Item>() };
  partition.inOrder = undefined;
  partitions.set(name, partition);
  return partition.items;
}

function takeBack(
  items: Map<string, Item>,
  changes: readonly Change[],
  isHere: (item: Item) => boolean,
): void {
  for (const { before, after } of changes.toReversed()) {
    if (after !== undefined && isHere(after)) items.delete(keyOf(after));
    if (before !== undefined && isHere(before)) items.set(keyOf(before), before);
  }
}

/** An index may hold several items in one place; which comes first there is not said, but always the same. */
export const inOrderOf =
  (keys: Keys) =>
  (one: Item, other: Item): number =>
    byAttribute(keys.range, one, other) || byAttribute('pk', one, other) || byAttribute('sk', one, other);

function byAttribute(name: string, one: Item, other: Item): number {
  const [mine, theirs] = [one[name], other[name]];
  return mine === undefined || theirs === undefined ? 0 : (compareValues(mine, theirs) ?? 0);
}
