import type { Exchange } from '../../wire/exchange.ts';
import { refusals } from '../../wire/invented.ts';
import type { Fault } from '../fault.ts';
import { isOfInstance } from '../instances/effects.ts';
import { decisive } from './reads.ts';
import { isRead, wordsOf } from './request-fault.ts';

interface AtFirst {
  name: string;
  about: string;
  fits: (exchange: Exchange) => boolean;
  /** Of all that is asked for, how much fails at first. */
  share: number;
  /** So many times at most. */
  most: number;
}

/** A deletion sends some requests only a few times, among hundreds of others. Chance hardly ever meets those. */
const failsAtFirst = ({ name, about, fits, share, most }: AtFirst): Fault => ({
  name,
  about,
  strike({ world, random }) {
    const left = new Map<string, number>();
    world.meddlers.onRequest((exchange) => {
      if (!isOfInstance(exchange) || !fits(exchange)) return undefined;
      const key = keyOf(exchange);
      const times = left.get(key) ?? (random.chance(share) ? random.between(1, most) : 0);
      if (!left.has(key) && times > 0)
        world.say('the API', `does not ${wordsOf(exchange)} when it is asked to`);
      left.set(key, times - 1);
      if (times <= 0) return undefined;
      world.hit(name, exchange.instance);
      return random.oneOf([
        { answer: refusals.internal },
        { answer: refusals.unavailable },
        { answer: refusals.timeout },
        { answer: refusals.notFoundPage },
        { answer: refusals.forbidden },
        ...(exchange.verb === 'delete' ? [{ answer: refusals.conflict }] : []),
        { lost: 'before' },
      ]);
    });
    return undefined;
  },
});

const keyOf = ({ host, verb, resource, namespace, name, query }: Exchange): string =>
  `${host} ${verb} ${resource} ${namespace}/${name} ${query['fieldSelector'] ?? ''}`;

/** `/apis`, `/apis/<group>` and `/apis/<group>/<version>`: which kinds there are. */
const isDiscovery = ({ resource }: Exchange): boolean => /^\/apis?(\/|$)/.test(resource);

export const atFirst: readonly Fault[] = [
  failsAtFirst({
    name: 'deletes-fail',
    about: 'Nodes, infrastructure and bootstrap objects cannot be deleted: most of them not at first.',
    fits: ({ verb, resource }) => verb === 'delete' && !resource.startsWith('leases.'),
    share: 0.8,
    most: 3,
  }),
  failsAtFirst({
    name: 'first-reads-fail',
    about: 'Some of what a step rests on cannot be read at first, however often it is asked for right then.',
    fits: (exchange) => isRead(exchange) && decisive.test(exchange.resource),
    share: 0.3,
    most: 9,
  }),
  failsAtFirst({
    name: 'discovery-fails',
    about: 'The API does not say which kinds it serves, most of the time not at first.',
    fits: isDiscovery,
    share: 0.7,
    most: 6,
  }),
];
