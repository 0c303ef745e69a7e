import type { Clock } from '../../../shared/time/clock.ts';
import type { ApiServerSource } from '../../serverless/model.ts';
import type { WatchedApi } from '../eventing/follow-changes.ts';

const longestMilliseconds = 5_000;

/**
 * The API as sources see it, and the moment from which they miss nothing. Then the last of them opens its first
 * watch. A cluster that does not let them is waited for a few seconds only; they go on trying.
 */
export function noticingFirstWatches(
  api: WatchedApi,
  sources: readonly Pick<ApiServerSource, 'namespaces'>[],
  clock: Clock,
) {
  // One for all namespaces, or one for each that is named.
  const count = sources.reduce((sum, { namespaces }) => sum + (namespaces?.length ?? 1), 0);
  const opened = new Set<string>();
  const ready = Promise.withResolvers<void>();
  if (count === 0) ready.resolve();
  return {
    api: {
      list: (resource, selection) => api.list(resource, selection),
      watch(resource, selection, resourceVersion, listener) {
        const stop = api.watch(resource, selection, resourceVersion, listener);
        opened.add(JSON.stringify([resource, selection]));
        if (opened.size >= count) ready.resolve();
        return stop;
      },
    } satisfies WatchedApi,
    async areOpen(): Promise<void> {
      const giveUp = clock.after(longestMilliseconds, ready.resolve);
      await ready.promise;
      giveUp();
    },
  };
}
