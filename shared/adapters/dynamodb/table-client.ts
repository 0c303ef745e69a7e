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
  UpdateItemCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';

export interface CallOptions {
  abortSignal: AbortSignal;
}

/** Every command that the adapter sends. */
export type TableCommand =
  | PutItemCommand
  | UpdateItemCommand
  | DeleteItemCommand
  | QueryCommand
  | CreateTableCommand
  | DescribeTableCommand
  | DescribeTimeToLiveCommand
  | UpdateTimeToLiveCommand;

/** What the adapter needs of the SDK's client, and no more, so that another table can stand in its place. */
export interface TableClient {
  readonly config: { region(): Promise<string>; credentials(): Promise<unknown> };
  send(command: QueryCommand, options: CallOptions): Promise<QueryCommandOutput>;
  send(command: DescribeTableCommand, options: CallOptions): Promise<DescribeTableCommandOutput>;
  send(command: DescribeTimeToLiveCommand, options: CallOptions): Promise<DescribeTimeToLiveCommandOutput>;
  send(command: PutItemCommand, options: CallOptions): Promise<unknown>;
  send(command: UpdateItemCommand, options: CallOptions): Promise<unknown>;
  send(command: DeleteItemCommand, options: CallOptions): Promise<unknown>;
  send(command: CreateTableCommand, options: CallOptions): Promise<unknown>;
  send(command: UpdateTimeToLiveCommand, options: CallOptions): Promise<unknown>;
}

/** What a call sends, given the signal that ends it. */
export type Send<T> = (client: TableClient, options: CallOptions) => Promise<T>;
