import { refusals } from '../../wire/invented.ts';
import type { Fault } from '../fault.ts';
import { isOfInstance } from '../instances/effects.ts';
import { wordsOf } from './request-fault.ts';

/** Each is asked for once in a deletion, among hundreds of other requests: what strikes at random hardly ever meets one. */
export const deletesFail: Fault = {
  name: 'deletes-fail',
  about: 'Nodes, infrastructure and bootstrap objects cannot be deleted: most of them not at first.',
  strike({ world, random }) {
    const left = new Map<string, number>();
    world.meddlers.onRequest((exchange) => {
      const { host, verb, resource, namespace, name, instance } = exchange;
      if (verb !== 'delete' || resource.startsWith('leases.') || !isOfInstance(exchange)) return undefined;
      const key = `${host} ${resource} ${namespace}/${name}`;
      const times = left.get(key) ?? (random.chance(0.8) ? random.between(1, 3) : 0);
      left.set(key, times - 1);
      if (times <= 0) return undefined;
      world.say('the API', `does not ${wordsOf(exchange)} when it is asked to`);
      world.hit(this.name, instance);
      return random.oneOf([
        { answer: refusals.internal },
        { answer: refusals.unavailable },
        { answer: refusals.timeout },
        { answer: refusals.notFoundPage },
        { answer: refusals.forbidden },
        { answer: refusals.conflict },
        { lost: 'before' },
      ]);
    });
    return undefined;
  },
};
