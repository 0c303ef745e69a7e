import { DeleteItemCommand, type DeleteItemCommandInput, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Requeue, WhichLook } from '../../store/port.ts';
import { soonest } from '../../store/requeue.ts';
import type { Instant } from '../../time/clock.ts';
import { number } from './attributes.ts';
import type { Connection } from './connection.ts';
import { dueInShard } from './due-in-shard.ts';
import { dueUpdate } from './due-item.ts';
import { dueKey, dueShards } from './keys.ts';

/** As `takesThePlaceOf` has it. A look that an earlier version has scheduled says nothing: it is neither. */
function takesItsPlace({ isProvisional = false, isOfDeletion = false }: WhichLook): string {
  const amongEquals = isProvisional
    ? ['dueAt >= :dueAt AND attribute_exists(provisional)']
    : ['dueAt >= :dueAt', 'attribute_exists(provisional)'];
  const lives = 'attribute_not_exists(deletion)';
  const ways = isOfDeletion ? [lives, ...amongEquals] : amongEquals.map((way) => `${lives} AND ${way}`);
  return ways.join(' OR ');
}

/** As `isThatLook` has it. */
const isStillThat = ({ isProvisional, isOfDeletion }: WhichLook): string =>
  `dueAt = :at AND ${has('provisional', isProvisional)} AND ${has('deletion', isOfDeletion)}`;

const has = (attribute: string, is = false): string =>
  is ? `attribute_exists(${attribute})` : `attribute_not_exists(${attribute})`;

/**
 * Returns whether it was set. What a claim and the steps before have left on the item stays. An item without a time is never
 * due, and would hide every later one.
 */
export function scheduleLook(connection: Connection, look: Requeue): Promise<boolean> {
  const { UpdateExpression, ExpressionAttributeValues } = dueUpdate(look);
  const command = new UpdateItemCommand({
    TableName: connection.table,
    Key: dueKey(look.machine.uid),
    UpdateExpression,
    ConditionExpression: `attribute_not_exists(dueAt) OR dueAt <= :now OR ${takesItsPlace(look)}`,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':now': number(connection.clock.now()) },
  });
  return connection.callIf((client, options) => client.send(command, options));
}

export async function unscheduleLook(
  connection: Connection,
  machineUid: string,
  look?: WhichLook,
): Promise<void> {
  const input: DeleteItemCommandInput = { TableName: connection.table, Key: dueKey(machineUid) };
  if (look !== undefined) {
    input.ConditionExpression = isStillThat(look);
    input.ExpressionAttributeValues = { ':at': number(look.at) };
  }
  const command = new DeleteItemCommand(input);
  await connection.callIf((client, options) => client.send(command, options));
}

/**
 * The index follows the table within moments: a look just taken may be answered once more, which costs one look
 * too many, and a look just scheduled is answered by the next sweep.
 */
export async function dueLooks(connection: Connection, now: Instant, limit: number): Promise<Requeue[]> {
  if (limit <= 0) return [];
  const shards = await Promise.all(dueShards.map((shard) => dueInShard(connection, shard, { now, limit })));
  return soonest(shards.flat(), limit);
}
