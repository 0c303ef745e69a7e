import type { Clock, Instant, Stopwatch } from '../../../shared/time/clock.ts';
import { type Definition, keysOf, keyTypesOf } from './definition.ts';
import type { KeyTypes } from './keys.ts';
import { attributeOf, type Item } from './value.ts';
import { View } from './view.ts';

export interface TableOptions {
  clock: Clock;
  /** How long a new table is not active. */
  createMilliseconds: number;
}

/** DynamoDB takes longer. A look at every item costs little when it is rare. */
const betweenDropsMilliseconds = 60_000;

/** One table with its indexes, in memory. */
export class Table {
  readonly definition: Definition;
  readonly types: KeyTypes;
  readonly primary: View;
  readonly indexes: ReadonlyMap<string, View>;
  /** The attribute that says when an item expires, in seconds since the epoch; none where nothing does. */
  timeToLive: string | undefined;
  readonly #options: TableOptions;
  readonly #age: Stopwatch;
  #sinceDrop: Stopwatch;

  /** Throws for a definition that contradicts itself. */
  constructor(definition: Definition, options: TableOptions) {
    this.definition = definition;
    this.types = keyTypesOf(definition);
    const primary = keysOf(definition.KeySchema);
    this.primary = new View(primary);
    const indexes = definition.GlobalSecondaryIndexes ?? [];
    this.indexes = new Map(
      indexes.map(({ IndexName, KeySchema }) => [IndexName, new View(keysOf(KeySchema), primary)]),
    );
    this.#options = options;
    this.#age = options.clock.stopwatch();
    this.#sinceDrop = options.clock.stopwatch();
  }

  isActive(): boolean {
    return this.#age() >= this.#options.createMilliseconds;
  }

  /** `after` takes the place of `before`; undefined where there is none. */
  write(before: Item | undefined, after: Item | undefined): void {
    for (const view of [this.primary, ...this.indexes.values()]) {
      if (before !== undefined && view.holds(before)) view.remove(before);
      if (after !== undefined && view.holds(after)) view.add(after);
    }
  }

  /** Now and then; what has expired may be read for a while, as from DynamoDB. */
  dropExpired(): void {
    if (this.#sinceDrop() < betweenDropsMilliseconds) return;
    const { clock } = this.#options;
    this.#sinceDrop = clock.stopwatch();
    const now = clock.now();
    for (const item of this.primary.all()) if (this.#hasExpired(item, now)) this.write(item, undefined);
  }

  #hasExpired(item: Item, now: Instant): boolean {
    const expires = this.timeToLive === undefined ? undefined : attributeOf(item, this.timeToLive);
    return expires !== undefined && 'N' in expires && Number(expires.N) * 1000 <= now;
  }
}
