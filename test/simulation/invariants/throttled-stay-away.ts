import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';

/** By these the answer may be forgotten, or not be heard in time. */
const forgetting = /^(clock-jumps|timeout|connection-lost|gateway-timeout|slow-api|paused-instance)/;

/** Until when it was told to wait, and how far its clock was ahead then. */
interface Told {
  until: number;
  ahead: number;
}

/** Where several instances look after a Pod, each may get another time. */
export const throttledStayAway: Invariant = {
  name: 'a Pod whose eviction the API has no time for is not asked for before the API has named a time',
  watch(world, _scenario, violated) {
    /** By the instance that was throttled, and the Pod. */
    const told = new Map<string, Told>();
    let isStoreKept = true;
    const aheadOf = (name: string): number => {
      const found = world.instances().find((instance) => instance.name === name);
      return found === undefined ? 0 : found.strand.now() - world.now();
    };
    return {
      hit(fault) {
        // An instance that knows it to be down keeps no records for a while after.
        isStoreKept &&= !fault.startsWith('store-');
        if (forgetting.test(fault)) told.clear();
      },
      invented(exchange, { code, retryAfter }) {
        const seconds = Number(retryAfter);
        if (isEviction(exchange) && code === 429 && seconds > 0)
          told.set(keyOf(exchange), {
            until: world.now() + seconds * 1_000,
            ahead: aheadOf(exchange.instance),
          });
      },
      leaves(exchange) {
        if (!isStoreKept || !isEviction(exchange) || world.instances().length > 1) return;
        const { until = 0, ahead = 0 } = told.get(keyOf(exchange)) ?? {};
        const left = until - world.now();
        // A corrected clock ignores what it wrote before, and the correction is no strike of a fault.
        if (left > 0 && ahead === aheadOf(exchange.instance))
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
