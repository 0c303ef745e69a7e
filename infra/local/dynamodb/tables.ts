import * as z from 'zod';
import type { Definition } from './definition.ts';
import { tableName } from './parsed.ts';
import { invalid, noSuchTable, tableInUse } from './refusal.ts';
import { Table, type TableOptions } from './table.ts';

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
