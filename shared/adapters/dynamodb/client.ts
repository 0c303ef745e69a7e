import type { Agent } from 'node:http';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  type DynamoDBClientConfig,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../time/clock.ts';

/** How to reach DynamoDB; without values the AWS SDK's default chain decides. */
export interface StoreClientOptions {
  endpoint?: string;
  region?: string;
  accessKeyId?: string;
  secretAccessKey?: string;
  sessionToken?: string;
  /** There are credentials for the SDK to find, whatever the endpoint is. */
  hasCredentials?: boolean;
  /** Makes the connections, where the endpoint cannot be reached from here. */
  agent?: Agent;
  /** Milliseconds for each time that a call is sent, to who can wait. */
  requestTimeout?: number;
}

/** How often the SDK sends a call before it gives up. */
export const maxAttempts = 2;

/** Milliseconds, for each time that a call is sent. One that gets no answer is not sent again: its whole time is over then. */
export const timeouts = { connectionTimeout: 1_000, requestTimeout: 5_000 };

/**
 * A client for AWS, or for an engine at `endpoint` that is not AWS. For AWS the SDK searches region and credentials.
 * For an engine they are given or made up: the search would go out to AWS, and hang.
 */
export const createStoreClient = (options: StoreClientOptions = {}): DynamoDBClient =>
  new DynamoDBClient({
    maxAttempts,
    requestHandler: {
      ...timeouts,
      ...(options.requestTimeout !== undefined && { requestTimeout: options.requestTimeout }),
      ...(options.agent !== undefined && { httpAgent: options.agent }),
      throwOnRequestTimeout: true,
    },
    ...placeOf(options),
    ...credentialsOf(options),
  });

function placeOf({ endpoint, region }: StoreClientOptions): DynamoDBClientConfig {
  const place: DynamoDBClientConfig = {};
  if (endpoint !== undefined) place.endpoint = endpoint;
  if (region !== undefined) place.region = region;
  else if (endpoint !== undefined && !isOfAws(endpoint)) place.region = 'us-east-1';
  return place;
}

function credentialsOf(options: StoreClientOptions): DynamoDBClientConfig {
  const { endpoint, accessKeyId, secretAccessKey, sessionToken } = options;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    const session = sessionToken === undefined ? {} : { sessionToken };
    return { credentials: { accessKeyId, secretAccessKey, ...session } };
  }
  if (endpoint === undefined || isOfAws(endpoint) || options.hasCredentials === true) return {};
  return { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
}

/** AWS also has endpoints that have to be named, such as those of a private network. */
const isOfAws = (endpoint: string): boolean =>
  /\.(amazonaws\.com|amazonaws\.com\.cn|api\.aws)$/.test(new URL(endpoint).hostname);

/** For counting requests: one call, the SDK's retries included. */
export interface StoreReport {
  /** DynamoDB's name for it: UpdateItem, Query. */
  operation: string;
  outcome: 'answered' | 'condition-failed' | 'failed';
  milliseconds: number;
  /** Why there was no usable answer. */
  failure?: string;
}

/** The errors of a condition that did not hold. */
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
