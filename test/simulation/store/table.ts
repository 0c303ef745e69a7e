import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
  ResourceInUseException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../shared/adapters/dynamodb/attributes.ts';
import type { TableCommand } from '../../../shared/adapters/dynamodb/table-client.ts';
import { indexKeys, tableKeys } from './keys.ts';
import { checkInput } from './known-input.ts';
import { type Page, queried, type Reading } from './query.ts';
import { invalid } from './refusals.ts';
import { createView, type View } from './view.ts';
import { deleted, put, transacted, updatedBy, type Written } from './writes.ts';

/** DynamoDB's answer, with the fields that are there at all. */
export type Answer = Partial<Page> & {
  $metadata: object;
  Table?: { TableStatus: 'ACTIVE' };
  /** What was there before a write that asks for it. */
  Attributes?: Item;
  TimeToLiveDescription?: { TimeToLiveStatus: 'ENABLED' };
};

const $metadata = {};

export interface SimulatedTable {
  /** Throws as the SDK throws when DynamoDB refuses. */
  answer(command: TableCommand, reading?: Reading): Answer;
  /** All that is in it now. */
  items(): readonly Item[];
  /**
   * Commands that DynamoDB would refuse as wrong, or that this table has not learnt. The adapter takes such an error
   * for an outage and is forgiven. So only this shows it: look here.
   */
  defects(): readonly string[];
}

/** A table that is there, active, and defined as ours, with DynamoDB's answers to all that the adapter sends. */
export function createSimulatedTable(): SimulatedTable {
  const views = createViews();
  const defects: string[] = [];
  return {
    answer(command, reading = {}) {
      try {
        checkInput(command);
        return answered(views, command, reading);
      } catch (error) {
        if (!isExpected(error)) defects.push(String(error));
        throw error;
      }
    },
    items: () => views.table.all(),
    defects: () => defects,
  };
}

interface Views {
  table: View;
  indexes: ReadonlyMap<string, View>;
}

const createViews = (): Views => ({
  table: createView(tableKeys),
  indexes: new Map([...indexKeys].map(([name, keys]) => [name, createView(keys)])),
});

function answered(views: Views, command: TableCommand, reading: Reading): Answer {
  if (command instanceof QueryCommand) return { $metadata, ...answerQuery(views, command.input, reading) };
  const find = (key: Item): Item | undefined => views.table.find(key);
  if (command instanceof PutItemCommand) return write(views, command.input, put(command.input, find));
  if (command instanceof UpdateItemCommand)
    return write(views, command.input, updatedBy(command.input, find));
  if (command instanceof DeleteItemCommand) return write(views, command.input, deleted(command.input, find));
  if (command instanceof TransactWriteItemsCommand) {
    for (const written of transacted(command.input, find)) write(views, {}, written);
    return { $metadata };
  }
  if (command instanceof DescribeTableCommand) return { $metadata, Table: { TableStatus: 'ACTIVE' } };
  if (command instanceof DescribeTimeToLiveCommand) {
    return { $metadata, TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED' } };
  }
  if (command instanceof CreateTableCommand) throw tableInUse();
  throw invalid('TimeToLive is already enabled');
}

function write(
  { table, indexes }: Views,
  { ReturnValues }: Pick<PutItemCommandInput, 'ReturnValues'>,
  { before, after }: Written,
): Answer {
  table.write(before, after);
  for (const index of indexes.values()) index.write(before, after);
  return { $metadata, ...(ReturnValues === 'ALL_OLD' && before && { Attributes: before }) };
}

function answerQuery({ table, indexes }: Views, input: QueryCommandInput, reading: Reading): Page {
  if (input.IndexName === undefined) {
    // Only what was not asked to be consistent may be old.
    return queried(table, input, input.ConsistentRead === true ? { ...reading, changesAgo: 0 } : reading);
  }
  const index = indexes.get(input.IndexName);
  if (index === undefined) {
    throw invalid(`The table does not have the specified index: ${input.IndexName}`);
  }
  if (input.ConsistentRead === true) {
    throw invalid('Consistent reads are not supported on global secondary indexes');
  }
  return queried(index, input, reading);
}

const tableInUse = (): ResourceInUseException =>
  new ResourceInUseException({ $metadata: { httpStatusCode: 400 }, message: 'Table already exists' });

const isExpected = (error: unknown): boolean =>
  error instanceof ConditionalCheckFailedException || error instanceof ResourceInUseException;
