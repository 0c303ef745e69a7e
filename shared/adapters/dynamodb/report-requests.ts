import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../time/clock.ts';

/** For counting requests: one call, the SDK's retries included. */
export interface StoreReport {
  /** DynamoDB's name for it: UpdateItem, Query. */
  operation: string;
  outcome: 'answered' | 'condition-failed' | 'failed';
  milliseconds: number;
  /** Why there was no usable answer. */
  failure?: string;
}

/** By these the store says that what stands there is another. */
const answers = [ConditionalCheckFailedException, TransactionCanceledException];

/** Reports every call that is made with the client from now on. */
export function reportRequests(
  client: Pick<DynamoDBClient, 'middlewareStack'>,
  clock: Pick<Clock, 'stopwatch'>,
  onRequest: (report: StoreReport) => void,
): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (call) => {
        const age = clock.stopwatch();
        const report = (outcome: StoreReport['outcome'], failure?: string): void =>
          onRequest({
            operation: commandName.replace(/Command$/, ''),
            outcome,
            milliseconds: age(),
            ...(failure === undefined ? {} : { failure }),
          });
        try {
          const answer = await next(call);
          report('answered');
          return answer;
        } catch (error) {
          if (answers.some((kind) => error instanceof kind)) report('condition-failed');
          else report('failed', error instanceof Error ? error.name : String(error));
          throw error;
        }
      },
    { step: 'initialize', name: 'reportRequests' },
  );
}
