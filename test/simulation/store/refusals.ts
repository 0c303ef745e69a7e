import { ConditionalCheckFailedException, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../shared/adapters/dynamodb/attributes.ts';

/** What the simulated table has not learnt. The adapter has to send it first, and then it has to be taught. */
export class Unknown extends Error {
  constructor(what: string) {
    super(`The simulated table does not know ${what}.`);
    this.name = 'Unknown';
  }
}

/** DynamoDB's answer to a command that can never be right, in its own words. */
export const invalid = (message: string): DynamoDBServiceException =>
  new DynamoDBServiceException({
    name: 'ValidationException',
    $fault: 'client',
    $metadata: { httpStatusCode: 400 },
    message,
  });

export const conditionFailed = (Item?: Item): ConditionalCheckFailedException =>
  new ConditionalCheckFailedException({
    ...(Item && { Item }),
    $metadata: { httpStatusCode: 400 },
    message: 'The conditional request failed',
  });
