import { isRead, isWatch } from '../../faults/api/request-fault.ts';
import { labelOf } from '../../wire/exchange.ts';
import type { World } from '../../world.ts';
import { isOfInstance, type Sweep } from '../sweep.ts';

const ways = [{ way: 'before it', isDone: false } as const, { way: 'after it', isDone: true } as const];

/** Steps in which an event or an answer leaves an instance, or in which the Broker confirms an event. */
const leaving: Readonly<Record<string, string>> = {
  'an event leaves': 'an event leaves',
  'the Broker answers': 'the Broker has an event',
  'its answer leaves': 'an answer leaves',
};

export const crash: Sweep = {
  name: 'crash',
  about:
    'An instance dies before and after each write, each call of the provider and each event that it sends.',
  watch(world, ask) {
    const { meddlers } = world;
    meddlers.onRequest((exchange) => {
      if (!isOfInstance(exchange.instance) || isRead(exchange) || isWatch(exchange)) return undefined;
      const how = ask(labelOf(exchange), () => ways);
      if (how === undefined) return undefined;
      die(world, exchange.instance);
      return how.isDone ? 'pass' : { lost: 'before' };
    });
    meddlers.onProvider(({ instance, operation, machine }) => {
      const how = ask(`provider ${operation} for ${machine.metadata.name} by ${instance}`, () => ways);
      if (how === undefined) return undefined;
      die(world, instance);
      return how.isDone ? 'answers' : 'finds nobody';
    });
    meddlers.onStore(({ instance, name }) => {
      if (name === 'Query') return undefined;
      const how = ask(`store ${name} by ${instance}`, () => ways);
      if (how === undefined) return undefined;
      die(world, instance);
      return how.isDone ? 'none' : 'unreachable';
    });
    meddlers.onStep(({ strand, label }) => {
      const what = isOfInstance(strand) ? leaving[label] : undefined;
      if (what !== undefined && ask(`${what} of ${strand}`, () => [{ way: 'right then' }]) !== undefined)
        die(world, strand);
      return undefined;
    });
  },
};

function die(world: World, name: string): void {
  world.say('an instance', `${name} dies`);
  world.hit('crash', name);
  const found = world.instances().find((instance) => instance.name === name);
  if (found !== undefined) world.kill(found);
}
