import {
  DescribeTimeToLiveCommand,
  PutItemCommand,
  QueryCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import type { Item } from '../../../../shared/adapters/dynamodb/attributes.ts';
import { clockOf } from '../../../builders/clock.ts';
import { anEngine, itemsOf, outcomeOf, TableName } from './engine.ts';

const start = Date.UTC(2026, 0, 1);
const secondsAt = (milliseconds: number): Item => ({
  expires: { N: String((start + milliseconds) / 1_000) },
});
const anItem = (name: string, rest: Item): Item => ({ pk: { S: name }, sk: { S: 'due' }, ...rest });

/** What is still there after so many milliseconds of what was written at the start. */
async function keptAfter(milliseconds: number, ...items: Item[]) {
  let now = start;
  const client = await anEngine({ clock: clockOf(() => now) });
  for (const Item of items) await client.send(new PutItemCommand({ TableName, Item }));
  now += milliseconds;
  return { client, kept: (await itemsOf(client)).map(({ pk }) => pk?.S) };
}

test.each([
  ['has expired', { ...secondsAt(60_000) }, 60_000, false],
  ['expires in a second', { ...secondsAt(61_000) }, 60_000, true],
  ['never expires', {}, 1e12, true],
  ['says no number', { expires: { S: '1' } }, 1e12, true],
  ['has just expired, since nobody looks at each item all the time', { ...secondsAt(1_000) }, 2_000, true],
])('what %s: is it there (%j, after %i ms)?', async (_, rest: Item, milliseconds, isThere) => {
  const { kept } = await keptAfter(milliseconds, anItem('m', rest));
  expect(kept).toEqual(isThere ? ['m'] : []);
});

const due = (at: number): Item => ({ dueShard: { S: 'due#1' }, dueAt: { N: `${at}` } });

test('what has expired is in no index either, and what has not stays in its order', async () => {
  const { client } = await keptAfter(
    60_000,
    anItem('c', { ...due(3), ...secondsAt(90_000) }),
    anItem('a', { ...due(1), ...secondsAt(90_000) }),
    anItem('b', { ...due(2), ...secondsAt(30_000) }),
  );
  const { Items } = await client.send(
    new QueryCommand({
      TableName,
      IndexName: 'due',
      KeyConditionExpression: 'dueShard = :shard',
      ExpressionAttributeValues: { ':shard': { S: 'due#1' } },
    }),
  );
  expect(Items?.map(({ pk }) => pk?.S)).toEqual(['a', 'c']);
});

test('a clock that is set back stops nothing', async () => {
  let [now, passed] = [start, 0];
  const client = await anEngine({
    clock: clockOf(
      () => now,
      () => passed,
    ),
  });
  now -= 1e9;
  await client.send(new PutItemCommand({ TableName, Item: anItem('m', secondsAt(-1e9)) }));
  passed += 60_000;
  expect(await itemsOf(client)).toEqual([]);
});

const switched = (Enabled: boolean) =>
  new UpdateTimeToLiveCommand({
    TableName,
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled },
  });

test('it is switched on and off, and only what is on expires', async () => {
  let now = start;
  const client = await anEngine({ clock: clockOf(() => now) });
  const status = async () => {
    const answer = await client.send(new DescribeTimeToLiveCommand({ TableName }));
    return answer.TimeToLiveDescription;
  };
  expect(await status()).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' });
  expect(await outcomeOf(client.send(switched(true)))).toBe(
    'ValidationException: TimeToLive is already enabled',
  );
  await client.send(switched(false));
  expect(await status()).toEqual({ TimeToLiveStatus: 'DISABLED' });
  await client.send(new PutItemCommand({ TableName, Item: anItem('m', secondsAt(0)) }));
  now += 120_000;
  expect(await itemsOf(client)).toHaveLength(1);
});
