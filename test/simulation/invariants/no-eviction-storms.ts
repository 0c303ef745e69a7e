import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { World } from '../world.ts';
import type { Invariant } from './invariant.ts';
import { effectOf } from './sight/effect.ts';
import type { Effect } from './sight/seen-effect.ts';
import { witnessOf } from './sight/witness.ts';

/** After an eviction the Pod that takes the place is left alone for at least this long. */
const restMilliseconds = 15_000;
/** Two instances may meet, and a clock may jump: not again and again. */
const maxPerMinute = 4;

interface Eviction {
  instance: string;
  uid: string;
  at: number;
}

/** Evictions of Pods of one kind from one Node, and the times of those that came too soon after another. */
interface Kind {
  evictions: Eviction[];
  hasty: { instance: string; at: number }[];
}

/**
 * An instance always knows its own evictions. Until something goes wrong, it knows those of all instances through the
 * store.
 */
export const noEvictionStorms: Invariant = {
  name: 'a Pod that comes back is not evicted in a loop',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const births = birthsOfPods(world);
    const kinds = new Map<string, Kind>();
    let isUntroubled = true;
    return {
      hit() {
        isUntroubled = false;
      },
      /** What is evicted may be gone right after. */
      before(exchange) {
        if (exchange.resource === 'pods/eviction') effectOf(exchange, witness);
      },
      after(exchange, { code }) {
        const effect = exchange.resource === 'pods/eviction' ? effectOf(exchange, witness) : undefined;
        const key = effect && kindOf(effect);
        if (effect === undefined || key === undefined || code >= 300) return;
        const kind = kinds.get(key) ?? { evictions: [], hasty: [] };
        kinds.set(key, kind);
        const { instance } = exchange;
        const eviction = { instance, uid: effect.uid ?? '', at: world.now() };
        const knows = (other: string): boolean => isUntroubled || other === instance;
        if (note(kind, eviction, births.get(eviction.uid) ?? 0, knows) > maxPerMinute)
          violated(
            `${effect.label}: more than ${maxPerMinute} of its kind were evicted in a minute as soon as they came`,
          );
      },
    };
  },
};

/** How many evictions of the instance came too soon within the last minute, with this one. 0 if this one came in time. */
function note(
  { evictions, hasty }: Kind,
  eviction: Eviction,
  bornAt: number,
  knows: (instance: string) => boolean,
): number {
  const { instance, uid, at } = eviction;
  if (evictions.some((before) => before.uid === uid)) return 0;
  const isHasty = evictions.some(
    (before) => knows(before.instance) && before.at <= bornAt && at - before.at < restMilliseconds,
  );
  evictions.push(eviction);
  if (!isHasty) return 0;
  hasty.push({ instance, at });
  return hasty.filter((before) => knows(before.instance) && at - before.at <= 60_000).length;
}

/** Undefined for a Pod without a controller that makes it again. */
function kindOf({ plan, object: pod }: Effect): string | undefined {
  const owners = recordAt(pod, 'metadata')['ownerReferences'];
  const controller = (Array.isArray(owners) ? owners : []).find(
    (owner) => recordAt(owner)['controller'] === true,
  );
  const uid = textAt(controller, 'uid');
  return plan === undefined || uid === undefined ? undefined : `${plan.host} ${plan.node} ${uid}`;
}

/** By UID: to the millisecond, which Pods themselves do not tell. */
function birthsOfPods(world: World): Map<string, number> {
  const births = new Map<string, number>();
  for (const { cluster } of world.clusters.values())
    cluster.watch('pods', ({ type, object }) => {
      if (type === 'ADDED') births.set(object.metadata.uid ?? '', world.now());
    });
  return births;
}
