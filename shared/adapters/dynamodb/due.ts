import {
  DeleteItemCommand,
  type DeleteItemCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Requeue, WhichLook } from '../../store/port.ts';
import { oldestDue, soonest } from '../../store/requeue.ts';
import { dueLookRetentionSeconds, expiryOf } from '../../store/retention.ts';
import type { Instant } from '../../time/clock.ts';
import {
  dueKey,
  dueShardOf,
  dueShards,
  fromMachineAttribute,
  type Item,
  number,
  numberOf,
  text,
  toMachineAttribute,
} from './attributes.ts';
import { type Connection, queryPage } from './connection.ts';
import { dueIndex } from './table.ts';

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
export async function scheduleLook(connection: Connection, look: Requeue): Promise<boolean> {
  const { UpdateExpression, ExpressionAttributeValues } = dueUpdate(look);
  const command = new UpdateItemCommand({
    TableName: connection.table,
    Key: dueKey(look.machine.uid),
    UpdateExpression,
    ConditionExpression: `attribute_not_exists(dueAt) OR dueAt <= :now OR ${takesItsPlace(look)}`,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':now': number(connection.clock.now()) },
  });
  return (await connection.write(command)).isMet;
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
  await connection.write(new DeleteItemCommand(input));
}

/**
 * The index follows the table within moments. A look just taken may be answered once more, which costs one look too
 * many. A look just scheduled is answered by the next sweep.
 */
export async function dueLooks(connection: Connection, now: Instant, limit: number): Promise<Requeue[]> {
  if (limit <= 0) return [];
  const shards = await Promise.all(dueShards.map((shard) => dueInShard(connection, shard, { now, limit })));
  return soonest(shards.flat(), limit);
}

interface Due {
  now: Instant;
  limit: number;
}

/** Where items make no sense those behind them are read so many at a time, though one look is enough. */
const minBehind = 200;
/** And no more such pages: a shard full of them would take all the time of each sweep. */
const maxInVain = 10;

/** The soonest looks, at least so many where there are. What another version, or somebody by hand, has put there is none. */
async function dueInShard(connection: Connection, shard: string, { now, limit }: Due): Promise<Requeue[]> {
  const query = dueQuery(shard, now);
  const looks: Requeue[] = [];
  let start: Item | undefined;
  let inVain = 0;
  do {
    const missing = limit - looks.length;
    const most = inVain === 0 ? missing : Math.max(missing, minBehind);
    const { items, next } = await queryPage(connection, query, { start, limit: most });
    const found = items.map(fromDueItem).filter((look) => look !== undefined);
    looks.push(...found);
    if (found.length === 0) inVain += 1;
    start = next;
  } while (start !== undefined && looks.length < limit && inVain < maxInVain);
  return looks;
}

/** Looks that have expired are left out by the range of the query and so are never read. */
const dueQuery = (shard: string, now: Instant) => ({
  IndexName: dueIndex,
  KeyConditionExpression: 'dueShard = :shard AND dueAt BETWEEN :oldest AND :now',
  ExpressionAttributeValues: {
    ':shard': text(shard),
    ':oldest': number(oldestDue(now)),
    ':now': number(now),
  },
});

/** A look without the key of its item. One write says both when and where in the index: there is no moment between the two. */
export const toDueAttributes = (look: Requeue): Item => ({
  dueShard: text(dueShardOf(look.machine.uid)),
  dueAt: number(look.at),
  failures: number(look.failures),
  machine: toMachineAttribute(look.machine),
  expires: number(expiryOf(look.at, dueLookRetentionSeconds)),
  ...(look.isProvisional === true && { provisional: number(1) }),
  ...(look.isOfDeletion === true && { deletion: number(1) }),
});

type Update = Required<Pick<UpdateItemCommandInput, 'UpdateExpression' | 'ExpressionAttributeValues'>>;

/** Sets a look, and more, on an item. A claim, and what its steps have left, stay. */
export function dueUpdate(look: Requeue, more: Item = {}, removed: readonly string[] = []): Update {
  const attributes = Object.entries({ ...toDueAttributes(look), ...more });
  const sets = attributes.map(([name]) => `${name} = :${name}`);
  const removes = ['provisional', 'deletion', ...removed].filter((name) =>
    attributes.every(([set]) => set !== name),
  );
  return {
    UpdateExpression: `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
    ExpressionAttributeValues: Object.fromEntries(attributes.map(([name, value]) => [`:${name}`, value])),
  };
}

/** Undefined for what another version, or somebody by hand, has put there. */
export function fromDueItem(item: Item): Requeue | undefined {
  const machine = fromMachineAttribute(item['machine']);
  const at = numberOf(item['dueAt']);
  if (machine === undefined || at === undefined) return undefined;
  const isProvisional = item['provisional'] !== undefined;
  const isOfDeletion = item['deletion'] !== undefined;
  return {
    machine,
    at,
    failures: numberOf(item['failures']) ?? 0,
    ...(isProvisional && { isProvisional }),
    ...(isOfDeletion && { isOfDeletion }),
  };
}
