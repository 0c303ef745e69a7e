import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';

/** Why a call failed, for people: what they have to set or to create where that is known. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A refused connection has its reason in `code` or, with several addresses, only in the inner errors.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error instanceof ResourceNotFoundException) return missingTable;
  if (error.message === 'Region is missing') return missingRegion;
  return error.name === 'Error' ? error.message : `${error.name}: ${error.message}`;
}

const missingTable =
  'it is not there, or not yet, in this account and region; the image creates it when it is run with the argument "table"';
const missingRegion = 'no region is set: AWS_REGION, or the endpoint of a store that is not AWS';
