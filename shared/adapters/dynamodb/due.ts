import { DeleteItemCommand, type DeleteItemCommandInput, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Instant } from '../../clock.ts';
import { soonest } from '../../store/due-look.ts';
import type { DueLook, WhichLook } from '../../store/port.ts';
import { dueLookRetentionSeconds, expiryOf } from '../../store/retention.ts';
import { type Item, number, text } from './attributes.ts';
import type { Connection } from './connection.ts';
import { dueInShard } from './due-in-shard.ts';
import { dueKey, dueShardOf, dueShards } from './keys.ts';
import { toMachineAttribute } from './machine-ref.ts';

/** As `takesThePlaceOf` has it. A look that an earlier version has scheduled says nothing, and is not provisional. */
const takesItsPlace = {
  provisional: 'dueAt >= :at AND attribute_exists(provisional)',
  asAsked: 'dueAt >= :at OR attribute_exists(provisional)',
};

/** As `isThatLook` has it. */
const isStillThat = {
  provisional: 'dueAt = :at AND attribute_exists(provisional)',
  asAsked: 'dueAt = :at AND attribute_not_exists(provisional)',
};

/**
 * One write says both when and where in the index, so there is no moment between the two. Whether it was set. An item
 * that says no time, whoever has written it, is never due, and would be in the way of every look to come.
 */
export function scheduleLook(connection: Connection, look: DueLook): Promise<boolean> {
  const condition = look.isProvisional === true ? takesItsPlace.provisional : takesItsPlace.asAsked;
  const command = new PutItemCommand({
    TableName: connection.table,
    Item: toDueItem(look),
    ConditionExpression: `attribute_not_exists(dueAt) OR dueAt <= :now OR ${condition}`,
    ExpressionAttributeValues: { ':at': number(look.at), ':now': number(connection.clock.now()) },
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
    input.ConditionExpression = look.isProvisional === true ? isStillThat.provisional : isStillThat.asAsked;
    input.ExpressionAttributeValues = { ':at': number(look.at) };
  }
  const command = new DeleteItemCommand(input);
  await connection.callIf((client, options) => client.send(command, options));
}

/**
 * The index follows the table within moments: a look just taken may be answered once more, which costs one look
 * too many, and a look just scheduled is answered by the next sweep.
 */
export async function dueLooks(connection: Connection, now: Instant, limit: number): Promise<DueLook[]> {
  if (limit <= 0) return [];
  const shards = await Promise.all(dueShards.map((shard) => dueInShard(connection, shard, { now, limit })));
  return soonest(shards.flat(), limit);
}

const toDueItem = (look: DueLook): Item => ({
  ...dueKey(look.machine.uid),
  dueShard: text(dueShardOf(look.machine.uid)),
  dueAt: number(look.at),
  failures: number(look.failures),
  machine: toMachineAttribute(look.machine),
  expires: number(expiryOf(look.at, dueLookRetentionSeconds)),
  ...(look.isProvisional === true && { provisional: number(1) }),
});
