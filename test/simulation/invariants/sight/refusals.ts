import type { Exchange } from '../../wire/exchange.ts';
import type { World } from '../../world.ts';

/** A Pod that is refused is tried again after ten seconds at the latest. */
const lastingMilliseconds = 15_000;

/** Pods whose evictions have been refused of late: each is tried again by itself. */
export interface Refusals {
  note(exchange: Exchange, code: number): void;
  /** Of one host, or of all. */
  count(host?: string): number;
}

export function watchRefusals(world: World): Refusals {
  const refused = new Map<string, number>();
  return {
    note({ host, resource, namespace, name }, code) {
      if (resource !== 'pods/eviction') return;
      const pod = `${host} ${namespace}/${name}`;
      // Of a Pod with two budgets the server says 500.
      if (code === 429 || code >= 500) refused.set(pod, world.now());
      else refused.delete(pod);
    },
    count(host = '') {
      for (const [pod, at] of refused) if (world.now() - at > lastingMilliseconds) refused.delete(pod);
      return host === ''
        ? refused.size
        : [...refused.keys()].filter((pod) => pod.startsWith(`${host} `)).length;
    },
  };
}
