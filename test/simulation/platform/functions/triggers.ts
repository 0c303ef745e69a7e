import { hookCallType } from '../../../../events/hook-call.ts';
import type { LocalTrigger } from '../../../../infra/local/eventing/broker.ts';

const host = 'http://hooks/';

/** Of one function each, as its owner declares them. */
export const triggersOf = (titles: readonly string[]): LocalTrigger[] =>
  titles.map((title) => ({
    name: title.replaceAll('/', '-'),
    filter: { attributes: { type: hookCallType, hook: title } },
    delivery: { retry: 1, timeout: 'PT30S' },
    subscriber: `${host}${title}`,
  }));

/** The `namespace/name` of the DeletionHook whose function is there; undefined where none is. */
export const hookOf = (url: string): string | undefined =>
  url.startsWith(host) ? url.slice(host.length) : undefined;
