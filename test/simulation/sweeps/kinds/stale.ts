import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { ApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import { listOf } from '../../../../infra/local/kubernetes/server/json.ts';
import { isRead } from '../../faults/api/request-fault.ts';
import { labelOf as labelOfCommand } from '../../store/command.ts';
import { type Exchange, labelOf } from '../../wire/exchange.ts';
import type { World } from '../../world.ts';
import { type Ask, isOfInstance, type Sweep, type Way } from '../sweep.ts';

interface OldState extends Way {
  changes: number;
}

export const stale: Sweep = {
  name: 'stale',
  about: 'Each read is answered from each older state that differs.',
  watch(world, ask) {
    const { meddlers, clusters } = world;
    const isFirst = firstReads();
    meddlers.onRequest((exchange) => {
      const server = clusters.get(exchange.host)?.server;
      if (server === undefined || !isOfInstance(exchange.instance)) return undefined;
      const first = isFirst(exchange) ? ', the first of its kind' : '';
      if (!isRead(exchange)) return undefined;
      const how = ask(labelOf(exchange) + first, () =>
        olderStates((changes) => bodyOf(server, exchange, changes)),
      );
      if (how === undefined) return undefined;
      world.say('the API', `answers ${labelOf(exchange)} ${how.way}`);
      world.hit('stale', exchange.instance);
      return { stale: how.changes };
    });
    beforeTable(world, ask);
  },
};

/** Whether it is the first that an instance learns of a resource. */
function firstReads(): (exchange: Exchange) => boolean {
  const known = new Set<string>();
  return ({ instance, host, resource }) => {
    const kind = `${instance} ${host} ${resource.split('/')[0]}`;
    const isFirst = !known.has(kind);
    known.add(kind);
    return isFirst;
  };
}

const bodyOf = (server: ApiServer, { method, path, query }: Exchange, changesBehind: number): string =>
  server.respond({ method, path, query, changesBehind }).body;

/** Stands between the instances and the table, and answers queries of its index. */
function beforeTable(world: World, ask: Ask): void {
  const { table } = world;
  const answer = table.answer.bind(table);
  let writes = 0;
  table.answer = (command, reading) => {
    if (!(command instanceof QueryCommand)) writes += 1;
    else if (command.input.ConsistentRead !== true) {
      const asOf = (changes: number): string =>
        changes > writes ? asOf(0) : JSON.stringify(answer(command, { changesAgo: changes }).Items);
      const how = ask(labelOfCommand(command), () => olderStates(asOf, writes));
      if (how === undefined) return answer(command, reading);
      world.say('the store', `answers ${labelOfCommand(command)} ${how.way}`);
      world.hit('stale');
      return answer(command, { changesAgo: how.changes });
    }
    return answer(command, reading);
  };
}

/**
 * How many changes ago the answer differed from the present one and from each other one. Ends where `asOf` knows
 * nothing older and answers as of now.
 */
function olderStates(asOf: (changes: number) => string, atLeast = 0): OldState[] {
  const now = asOf(0);
  const known = new Set([contentOf(now)]);
  const found: OldState[] = [];
  for (let changes = 1; ; changes += 1) {
    const then = asOf(changes);
    if (then === now && changes > atLeast) return found;
    const content = contentOf(then);
    if (!known.has(content)) found.push({ way: wordsOf(changes, then), changes });
    known.add(content);
  }
}

const wordsOf = (changes: number, body: string): string =>
  `as ${changes} changes ago${body.includes('"kind":"Status"') ? ', when it was not there' : ''}`;

/** A list has a version of its own, which says nothing. */
function contentOf(body: string): string {
  const read: unknown = JSON.parse(body);
  const isList = typeof read === 'object' && read !== null && 'items' in read;
  return isList ? JSON.stringify(listOf(read.items)) : body;
}
