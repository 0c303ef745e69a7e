import { firstIndex } from '../kubernetes/objects/store.ts';
import { type Keys, namesOf, textOf } from './keys.ts';
import { attributeOf, compareValues, type Item } from './value.ts';

/** The table itself, or an index of it: its items by partition, and in order there. */
export class View {
  readonly keys: Keys;
  /** In this order; the last ones tell items apart that have the same place in an index. */
  readonly #order: readonly string[];
  readonly #partitions = new Map<string, Item[]>();

  constructor(keys: Keys, primary: Keys = keys) {
    this.keys = keys;
    this.#order = [keys.range ?? [], keys === primary ? [] : namesOf(primary)].flat();
  }

  /** An item without the keys of an index is not in it. */
  holds(item: Item): boolean {
    return namesOf(this.keys).every((name) => attributeOf(item, name) !== undefined);
  }

  /** The item with the keys of this one. */
  find(like: Item): Item | undefined {
    const items = this.partition(like);
    const found = items[firstIndex(items, (item) => this.compare(item, like) >= 0)];
    return found !== undefined && this.compare(found, like) === 0 ? found : undefined;
  }

  add(item: Item): void {
    const name = this.#partitionOf(item);
    const items = this.#partitions.get(name);
    if (items === undefined) this.#partitions.set(name, [item]);
    else
      items.splice(
        firstIndex(items, (other) => this.compare(other, item) > 0),
        0,
        item,
      );
  }

  /** What was added before. */
  remove(item: Item): void {
    const name = this.#partitionOf(item);
    const items = this.#partitions.get(name) ?? [];
    items.splice(
      firstIndex(items, (other) => this.compare(other, item) >= 0),
      1,
    );
    if (items.length === 0) this.#partitions.delete(name);
  }

  /** All items of the same partition as this one. */
  partition(like: Item): readonly Item[] {
    return this.#partitions.get(this.#partitionOf(like)) ?? [];
  }

  all(): Item[] {
    return [...this.#partitions.values()].flat();
  }

  /** Negative if `one` comes before `other` in their partition. */
  compare(one: Item, other: Item): number {
    for (const name of this.#order) {
      const [mine, theirs] = [attributeOf(one, name), attributeOf(other, name)];
      const difference = mine && theirs ? (compareValues(mine, theirs) ?? 0) : 0;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #partitionOf(item: Item): string {
    return textOf(attributeOf(item, this.keys.hash));
  }
}
