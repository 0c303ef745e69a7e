import { management } from '../platform/clusters.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { World } from '../world.ts';
import { secondsText } from './line.ts';

const shown = 15;

/** Which answers have come to whom, and when. */
export function rememberAnswers(world: World) {
  const known = new Map<string, Map<string, number>>();
  return {
    note(exchange: Exchange): void {
      const what = readingOf(exchange);
      if (what === undefined) return;
      const own = known.get(exchange.instance) ?? new Map<string, number>();
      known.set(exchange.instance, own);
      // In the order in which each was heard last.
      own.delete(what);
      own.set(what, world.now());
    },
    /** The latest of each thing, the last ones of them. */
    of: (instance: string): string[] =>
      [...(known.get(instance) ?? [])]
        .slice(-shown)
        .map(([what, at]) => `${secondsText(at - world.began).padStart(10)}  ${what}`),
  };
}

/** `machines.cluster.x-k8s.io fleet/worker-1`; undefined for what is no reading. */
function readingOf({ verb, resource, namespace, name, host, query }: Exchange): string | undefined {
  if ((verb !== 'get' && verb !== 'list') || resource.startsWith('/')) return undefined;
  const place = [namespace, name].filter((part) => part !== '').join('/');
  const which = query['fieldSelector'] ?? query['labelSelector'];
  const words = [resource, place, which === undefined ? '' : `(${which})`];
  const all = verb === 'list' && name === '' && which === undefined ? ['all'] : [];
  return [...all, ...words.filter((word) => word !== ''), host === management ? '' : `in ${host}`]
    .join(' ')
    .trim();
}
