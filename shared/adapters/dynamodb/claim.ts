import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { furthestEnd, lookAtEnd, unnamed } from '../../store/claim.ts';
import type { Claim, Claimed, Release, Released, Requeue } from '../../store/port.ts';
import { isThatLook } from '../../store/requeue.ts';
import { dueKey, dueSortKey, type Item, number, text, texts, textsOf } from './attributes.ts';
import { type Connection, itemsOf } from './connection.ts';
import { dueUpdate, fromDueItem, toDueAttributes } from './due.ts';

/** Sent twice, as where an answer was lost, it finds its own claim, and is taken all the same. */
export async function takeClaim(connection: Connection, claim: Claim): Promise<Claimed> {
  const { machine, by, at, until } = claim;
  const own = { claimedBy: text(by), claimedUntil: number(until) };
  const { UpdateExpression, ExpressionAttributeValues } = dueUpdate(lookAtEnd(claim), own, ['news']);
  const command = new UpdateItemCommand({
    TableName: connection.table,
    Key: dueKey(machine.uid),
    UpdateExpression,
    ConditionExpression:
      'attribute_not_exists(claimedUntil) OR claimedUntil <= :now OR claimedUntil > :furthest OR claimedBy = :claimedBy',
    ExpressionAttributeValues: {
      ...ExpressionAttributeValues,
      ':now': number(at),
      ':furthest': number(furthestEnd(at)),
    },
    ReturnValues: 'ALL_OLD',
  });
  const { isMet, item = {} } = await connection.write(command);
  if (!isMet) return { kind: 'held' };
  const look = fromDueItem(item);
  return {
    kind: 'taken',
    before: { ...(look && { look }), ours: textsOf(item['ours']), news: textsOf(item['news']) },
  };
}

export async function releaseClaim(connection: Connection, release: Release): Promise<Released> {
  const condition = {
    TableName: connection.table,
    ConditionExpression: 'claimedBy = :by',
    ExpressionAttributeValues: { ':by': text(release.by) },
    ReturnValues: 'ALL_OLD',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  const { machine, look } = release;
  const ours = texts(release.ours);
  const key = dueKey(machine.uid);
  const command =
    look === undefined
      ? new DeleteItemCommand({ ...condition, Key: key })
      : new PutItemCommand({
          ...condition,
          Item: { ...key, ...toDueAttributes(look), ...(ours && { ours }) },
        });
  const { isMet, item = {} } = await connection.write(command);
  if (isMet) return { kind: 'released', news: textsOf(item['news']) };
  return isReleased(item, look) ? { kind: 'released', news: [unnamed] } : { kind: 'lost' };
}

/** It meets its own effect: the answer, with what was heard, was lost. */
function isReleased(item: Item, look: Requeue | undefined): boolean {
  const found = fromDueItem(item);
  return (
    item['claimedBy'] === undefined && look !== undefined && found !== undefined && isThatLook(look, found)
  );
}

export async function hearOf(
  connection: Connection,
  machineUid: string,
  resourceVersion: string | undefined,
): Promise<'noted' | 'echo' | 'free'> {
  const now = connection.clock.now();
  const news = texts([resourceVersion ?? unnamed]);
  const command = new UpdateItemCommand({
    TableName: connection.table,
    Key: dueKey(machineUid),
    UpdateExpression: 'ADD news :news',
    ConditionExpression: 'claimedUntil > :now AND claimedUntil <= :furthest',
    ExpressionAttributeValues: {
      ...(news && { ':news': news }),
      ':now': number(now),
      ':furthest': number(furthestEnd(now)),
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const { isMet, item } = await connection.write(command);
  if (isMet) return 'noted';
  if (resourceVersion === undefined) return 'free';
  // Some engines do not give the item back.
  const [found = {}] = item === undefined ? await itemsOf(connection, machineUid, dueSortKey) : [item];
  return textsOf(found['ours']).includes(resourceVersion) ? 'echo' : 'free';
}
