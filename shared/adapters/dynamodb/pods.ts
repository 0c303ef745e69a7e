import { DeleteItemCommand, UpdateItemCommand, type UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { forEachLimited } from '../../async/parallel.ts';
import type { EvictionRecord, PodRecord } from '../../drain/pod-record.ts';
import type { MachineRef } from '../../machine/machine.ts';
import { podPlace } from '../../store/clue.ts';
import { expiryOf, podRecordRetentionSeconds } from '../../store/retention.ts';
import { type Item, number, text } from './attributes.ts';
import type { Connection } from './connection.ts';
import { podKey, podPrefix } from './keys.ts';
import { fromPodItem, refusalCountName, toRefusalAttribute } from './pod-item.ts';
import type { Pointers } from './pointers.ts';
import { itemsOf } from './query.ts';

interface Recording {
  machine: MachineRef;
  pointers: Pointers;
  /** Calls under way at a time. */
  parallel: number;
}

/** One update for each Pod, and their pointers together. Attempts at the same Pod follow one another, so that the last one given is the last. */
export async function recordAttempts(
  connection: Connection,
  evictions: EvictionRecord[],
  { machine, pointers, parallel }: Recording,
): Promise<void> {
  const pods = [...Map.groupBy(evictions, (eviction) => eviction.podUid).values()];
  const recordAll = async (attempts: readonly EvictionRecord[]): Promise<void> => {
    for (const attempt of attempts) await recordAttempt(connection, machine.uid, attempt);
  };
  const writes = [
    ...pods.map((attempts) => () => recordAll(attempts)),
    () => pointers.point(evictions.map(podPlace), machine),
  ];
  await forEachLimited(writes, (write) => write(), parallel);
}

export async function recordsOf(connection: Connection, machineUid: string): Promise<PodRecord[]> {
  const items = await itemsOf(connection, machineUid, podPrefix);
  return items.map(fromPodItem).filter((record) => record !== undefined);
}

/** A record that has expired but is not removed yet must not lend its counts and outcome to a new one. */
async function recordAttempt(
  connection: Connection,
  machineUid: string,
  attempt: EvictionRecord,
): Promise<void> {
  const key = podKey(machineUid, attempt.podUid);
  if (await addAttempt(connection, key, attempt)) return;
  await removeExpired(connection, key);
  await addAttempt(connection, key, attempt);
}

/** False when there is a record that has expired. */
function addAttempt(connection: Connection, key: Item, attempt: EvictionRecord): Promise<boolean> {
  const command = new UpdateItemCommand({
    TableName: connection.table,
    Key: key,
    ...attemptExpression(attempt),
    ConditionExpression: 'attribute_not_exists(expires) OR expires > :nowSeconds',
    ExpressionAttributeValues: {
      ...attemptValues(attempt),
      ':expires': number(expiryOf(connection.clock.now(), podRecordRetentionSeconds)),
      ':nowSeconds': number(connection.clock.now() / 1000),
    },
  });
  return connection.callIf((client, options) => client.send(command, options));
}

async function removeExpired(connection: Connection, key: Item): Promise<void> {
  const command = new DeleteItemCommand({
    TableName: connection.table,
    Key: key,
    ConditionExpression: 'expires <= :nowSeconds',
    ExpressionAttributeValues: { ':nowSeconds': number(connection.clock.now() / 1000) },
  });
  await connection.callIf((client, options) => client.send(command, options));
}

/**
 * Counts are added by DynamoDB itself, so that none is lost between concurrent writers; a call whose answer was
 * lost and that was sent again may count twice. `refused` is only ever the first outcome.
 */
function attemptExpression(
  attempt: EvictionRecord,
): Pick<UpdateItemCommandInput, 'UpdateExpression' | 'ExpressionAttributeNames'> {
  const sets = [
    'podNamespace = :namespace',
    'podName = :name',
    'firstAttempt = if_not_exists(firstAttempt, :at)',
    'lastAttempt = :at',
    'expires = :expires',
    attempt.outcome === 'refused' ? 'outcome = if_not_exists(outcome, :outcome)' : 'outcome = :outcome',
  ];
  if (attempt.refusal !== undefined) sets.push('lastRefusal = :refusal');
  if (attempt.notBefore !== undefined) sets.push('notBefore = :notBefore');
  const removes = attempt.notBefore === undefined ? ' REMOVE notBefore' : '';
  const update = `SET ${sets.join(', ')}${removes} ADD attempts :one`;
  if (attempt.refusal === undefined) return { UpdateExpression: update };
  return {
    UpdateExpression: `${update}, #refused :one`,
    ExpressionAttributeNames: { '#refused': refusalCountName(attempt.refusal.cause) },
  };
}

const attemptValues = (attempt: EvictionRecord): Item => ({
  ':namespace': text(attempt.namespace),
  ':name': text(attempt.name),
  ':at': number(attempt.at),
  ':outcome': text(attempt.outcome),
  ':one': number(1),
  ...(attempt.refusal === undefined ? {} : { ':refusal': toRefusalAttribute(attempt.refusal) }),
  ...(attempt.notBefore === undefined ? {} : { ':notBefore': number(attempt.notBefore) }),
});
