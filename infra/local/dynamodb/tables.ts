import * as z from 'zod';
import type { Clock, Instant, Stopwatch } from '../../../shared/time/clock.ts';
import { type Definition, keysOf, keyTypesOf } from './definition.ts';
import type { KeyTypes } from './keys.ts';
import { tableName } from './parsed.ts';
import { invalid, noSuchTable, tableInUse } from './refusal.ts';
import { attributeOf, type Item } from './value.ts';
import { View } from './view.ts';

const ofTable = z.strictObject({ TableName: tableName });

export const tableSchemas = {
  DescribeTable: ofTable,
  DeleteTable: ofTable,
  ListTables: z.strictObject({}),
  DescribeTimeToLive: ofTable,
  UpdateTimeToLive: z.strictObject({
    TableName: tableName,
    TimeToLiveSpecification: z.strictObject({ AttributeName: z.string().min(1), Enabled: z.boolean() }),
  }),
};

type Named = z.output<typeof ofTable>;

/** All tables. Each method answers as the operation does that is named like it. */
export class Tables {
  readonly #options: TableOptions;
  readonly #tables = new Map<string, Table>();

  constructor(options: TableOptions) {
    this.#options = options;
  }

  /** For reading and writing items. Throws for one that is not there, or not yet active. */
  active(name: string): Table {
    const table = this.#there(name);
    if (!table.isActive()) throw noSuchTable(name);
    table.dropExpired();
    return table;
  }

  create(definition: Definition): object {
    const { TableName } = definition;
    if (this.#tables.has(TableName)) throw tableInUse(TableName);
    const table = new Table(definition, this.#options);
    this.#tables.set(TableName, table);
    return { TableDescription: { ...described(table), TableStatus: 'CREATING' } };
  }

  describe({ TableName }: Named): object {
    return { Table: described(this.#there(TableName)) };
  }

  delete({ TableName }: Named): object {
    const table = this.active(TableName);
    this.#tables.delete(TableName);
    return { TableDescription: { ...described(table), TableStatus: 'DELETING' } };
  }

  list(): object {
    return { TableNames: [...this.#tables.keys()].toSorted() };
  }

  describeTimeToLive({ TableName }: Named): object {
    const { timeToLive } = this.#there(TableName);
    const status = timeToLive === undefined ? 'DISABLED' : 'ENABLED';
    return { TimeToLiveDescription: { TimeToLiveStatus: status, AttributeName: timeToLive } };
  }

  updateTimeToLive({
    TableName,
    TimeToLiveSpecification,
  }: z.output<typeof tableSchemas.UpdateTimeToLive>): object {
    const { AttributeName, Enabled } = TimeToLiveSpecification;
    const table = this.active(TableName);
    if ((table.timeToLive !== undefined) === Enabled) {
      throw invalid(`TimeToLive is already ${Enabled ? 'enabled' : 'disabled'}`);
    }
    table.timeToLive = Enabled ? AttributeName : undefined;
    return { TimeToLiveSpecification };
  }

  #there(name: string): Table {
    const table = this.#tables.get(name);
    if (table === undefined) throw noSuchTable(name);
    return table;
  }
}

function described(table: Table): object {
  const { BillingMode, GlobalSecondaryIndexes, ...definition } = table.definition;
  const status = table.isActive() ? 'ACTIVE' : 'CREATING';
  return {
    ...definition,
    TableStatus: status,
    BillingModeSummary: { BillingMode },
    GlobalSecondaryIndexes: GlobalSecondaryIndexes?.map((index) => ({ ...index, IndexStatus: status })),
  };
}

interface TableOptions {
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
