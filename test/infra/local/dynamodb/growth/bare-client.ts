import type { QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { Pool } from 'undici';
import type { TableClient, TableCommand } from '../../../../../shared/adapters/dynamodb/table-client.ts';

export interface BareClient extends TableClient {
  close(): Promise<void>;
}

/** Sends what the SDK sends, over the same connections, in a quarter of the time: it signs and checks nothing. */
export function createBareClient(endpoint: string): BareClient {
  const pool = new Pool(endpoint, { connections: 16 });
  return {
    config: { region: async () => 'us-east-1', credentials: async () => ({}) },
    async send(command: TableCommand): Promise<QueryCommandOutput> {
      const operation = command.constructor.name.slice(0, -'Command'.length);
      const { statusCode, body } = await pool.request({
        path: '/',
        method: 'POST',
        headers: { 'x-amz-target': `DynamoDB_20120810.${operation}` },
        body: JSON.stringify(command.input),
      });
      const text = await body.text();
      if (statusCode === 200) return { $metadata: {}, ...JSON.parse(text) };
      if (!text.includes('ConditionalCheckFailedException')) throw new Error(text);
      throw new ConditionalCheckFailedException({ $metadata: {}, message: text });
    },
    close: () => pool.close(),
  };
}
