import type { CloudEvent } from '../../../infra/local/eventing/event.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from './invariant.ts';
import { parsed } from './sight/checkpoint.ts';
import { watchStoreTrouble } from './sight/store-trouble.ts';

/**
 * Whoever looks next, another instance for one, has to know of it. While something is wrong with the store an eviction
 * is not held up, nor by an instance that stands still over its answer; and what a record says is kept for a day only.
 */
export const evictionsAreOnRecord: Invariant = {
  name: 'an eviction that is told is on record for whoever looks next',
  watch(world, _scenario, violated) {
    const store = watchStoreTrouble();
    return {
      hit: store.hit,
      logged: store.logged,
      event(event) {
        const eviction = store.hasBeen() ? undefined : evictionTold(event);
        if (eviction === undefined) return;
        const { machine, pod } = eviction;
        const isKnown = world.table
          .items()
          .some((item) => item['pk']?.S === `machine#${machine}` && item['sk']?.S?.endsWith(pod) === true);
        if (!isKnown) violated(`${event.attributes['id']} is told, and the table does not know of it`);
      },
    };
  },
};

function evictionTold({ attributes, data }: CloudEvent): { machine: string; pod: string } | undefined {
  if (attributes['type'] !== 'dev.phaseout.pod.evicted.v1') return undefined;
  const told = recordAt(parsed(Buffer.from(data).toString()));
  return { machine: textAt(told, 'machine', 'uid') ?? '', pod: textAt(told, 'pod', 'uid') ?? '' };
}
