import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';

/** By these the answer may be forgotten, or not be heard in time. */
const forgetting = /^(clock-jumps|timeout|connection-lost|gateway-timeout|slow-api|paused-instance)/;

/** Where several instances look after a Pod, each may be told another time. */
export const throttledStayAway: Invariant = {
  name: 'a Pod whose eviction the API has no time for is not asked for before the API has named a time',
  watch(world, _scenario, violated) {
    /** By who was told so, and of which Pod. */
    const told = new Map<string, number>();
    let isStoreKept = true;
    return {
      hit(fault) {
        // An instance that knows it to be down keeps no records for a while after.
        isStoreKept &&= !fault.startsWith('store-');
        if (forgetting.test(fault)) told.clear();
      },
      invented(exchange, { code, retryAfter }) {
        const seconds = Number(retryAfter);
        if (isEviction(exchange) && code === 429 && seconds > 0)
          told.set(keyOf(exchange), world.now() + seconds * 1_000);
      },
      leaves(exchange) {
        if (!isStoreKept || !isEviction(exchange) || world.instances().length > 1) return;
        const left = (told.get(keyOf(exchange)) ?? 0) - world.now();
        if (left > 0)
          violated(
            `${exchange.instance} asks for the Pod ${exchange.namespace}/${exchange.name} ${left} ms sooner than it was told`,
          );
      },
    };
  },
};

/** Pods that are hurried are on their way, and no load that anybody could put off. */
const isEviction = ({ resource, instance, body }: Exchange): boolean =>
  resource === 'pods/eviction' &&
  instance.startsWith('instance') &&
  recordAt(body, 'deleteOptions')['gracePeriodSeconds'] === undefined;

const keyOf = ({ instance, body }: Exchange): string =>
  `${instance} ${textAt(body, 'deleteOptions', 'preconditions', 'uid')}`;
