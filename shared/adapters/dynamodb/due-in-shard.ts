import type { Requeue } from '../../store/port.ts';
import { oldestDue } from '../../store/requeue.ts';
import type { Instant } from '../../time/clock.ts';
import { type Item, number, text } from './attributes.ts';
import type { Connection } from './connection.ts';
import { fromDueItem } from './due-item.ts';
import { queryPage } from './query.ts';
import { dueIndex } from './table.ts';

interface Due {
  now: Instant;
  limit: number;
}

/** Where items make no sense those behind them are read so many at a time, though one look is enough. */
const minBehind = 200;
/** And no more such pages: a shard that is full of them would take a sweep all of its time, at each tick. */
const maxInVain = 10;

/** The soonest looks, at least so many where there are. What another version, or somebody by hand, has put there is none. */
export async function dueInShard(
  connection: Connection,
  shard: string,
  { now, limit }: Due,
): Promise<Requeue[]> {
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
