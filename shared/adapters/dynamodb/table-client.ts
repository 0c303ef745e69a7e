import type {
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  DescribeTableCommandOutput,
  DescribeTimeToLiveCommand,
  DescribeTimeToLiveCommandOutput,
  PutItemCommand,
  QueryCommand,
  QueryCommandOutput,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { Item } from './attributes.ts';

/** How a call is made: it ends with the signal. */
export interface CallOptions {
  abortSignal: AbortSignal;
}

/** The commands that write one item. */
export type WriteCommand = PutItemCommand | UpdateItemCommand | DeleteItemCommand;

/** Every command that the adapter sends. */
export type TableCommand =
  | WriteCommand
  | TransactWriteItemsCommand
  | QueryCommand
  | CreateTableCommand
  | DescribeTableCommand
  | DescribeTimeToLiveCommand
  | UpdateTimeToLiveCommand;

/** `Attributes`: what was there before, where the command asks for it. */
interface Written {
  $metadata: object;
  Attributes?: Item | undefined;
}

/** What the adapter needs of the SDK's client, and no more, so that another table can stand in its place. */
export interface TableClient {
  readonly config: { region(): Promise<string>; credentials(): Promise<unknown> };
  send(command: QueryCommand, options: CallOptions): Promise<QueryCommandOutput>;
  send(command: DescribeTableCommand, options: CallOptions): Promise<DescribeTableCommandOutput>;
  send(command: DescribeTimeToLiveCommand, options: CallOptions): Promise<DescribeTimeToLiveCommandOutput>;
  send(command: WriteCommand, options: CallOptions): Promise<Written>;
  send(command: TransactWriteItemsCommand, options: CallOptions): Promise<object>;
  send(command: CreateTableCommand, options: CallOptions): Promise<object>;
  send(command: UpdateTimeToLiveCommand, options: CallOptions): Promise<unknown>;
}

/** What a call sends, given the signal that ends it. */
export type Send<T> = (client: TableClient, options: CallOptions) => Promise<T>;
