import type { ApiServer } from '../../../../infra/local/kubernetes/api-server.ts';
import { listOf } from '../../../../infra/local/kubernetes/json.ts';
import { isRead } from '../../faults/api/request-fault.ts';
import { type Exchange, labelOf } from '../../wire/exchange.ts';
import { isOfInstance, type Sweep, type Way } from '../sweep.ts';

interface OldState extends Way {
  changes: number;
}

const stateOf = (changes: number): OldState => ({ way: `as ${changes} changes ago`, changes });

export const stale: Sweep = {
  name: 'stale',
  about: 'Each read is answered from each older state that differs.',
  watch(world, ask) {
    const { meddlers, clusters } = world;
    let writes = 0;
    meddlers.onRequest((exchange) => {
      const server = clusters.get(exchange.host)?.server;
      if (server === undefined || !isOfInstance(exchange.instance) || !isRead(exchange)) return undefined;
      const how = ask(labelOf(exchange), () => olderStates(server, exchange));
      if (how === undefined) return undefined;
      world.say('the API', `answers ${labelOf(exchange)} ${how.way}`);
      world.hit('stale', exchange.instance);
      return { stale: how.changes };
    });
    meddlers.onStore(({ instance, name, mayBeStale }) => {
      if (name !== 'Query') writes += 1;
      if (!mayBeStale) return undefined;
      const how = ask(`store ${name} by ${instance}`, () => oldItems(writes));
      if (how === undefined) return undefined;
      world.say('the store', `answers ${instance} ${how.way}`);
      world.hit('stale', instance);
      return { stale: how.changes };
    });
  },
};

const most = 8;
/** An index is behind by what was written last. */
const oldItems = (writes: number): OldState[] =>
  Array.from({ length: Math.min(writes, most) }, (_, index) => stateOf(index + 1));

/** How long ago answers differed from the one of now and from one another, as far as the server remembers. */
function olderStates(server: ApiServer, { method, path, query }: Exchange): OldState[] {
  const answer = (changesBehind: number): string =>
    server.respond({ method, path, query, changesBehind }).body;
  const now = answer(0);
  const known = new Set([contentOf(now)]);
  const found: OldState[] = [];
  for (let changes = 1; ; changes += 1) {
    const then = answer(changes);
    if (then === now) return found;
    const content = contentOf(then);
    if (!known.has(content)) found.push(stateOf(changes));
    known.add(content);
  }
}

/** A list has a version of its own, which says nothing. */
function contentOf(body: string): string {
  const read: unknown = JSON.parse(body);
  const isList = typeof read === 'object' && read !== null && 'items' in read;
  return isList ? JSON.stringify(listOf(read.items)) : body;
}
