import type { Observer } from '../../observer.ts';
import { providerSecret } from '../../platform/provider-token.ts';
import type { Exchange } from '../../wire/exchange.ts';

interface Span<Moment> {
  began: Moment;
  ended: Moment;
}

const isOfToken = ({ resource, namespace, name }: Exchange): boolean =>
  resource === 'secrets' && `${namespace}/${name}` === providerSecret;

/** What fails is asked again soon, once. */
const retriedMilliseconds = 2_000;

/** When instances last read the token that they show to the provider. They read it now and then, right before a call. */
export function watchTokenReads<Moment extends { at: number }>(momentOf: (instance: string) => Moment) {
  const left = new WeakMap<Exchange, Moment>();
  /** By instance: of a reading that was not answered, so far. */
  const open = new Map<string, Moment>();
  const last = new Map<string, Span<Moment>>();
  const observer = {
    leaves(exchange) {
      if (!isOfToken(exchange)) return;
      const { instance } = exchange;
      const now = momentOf(instance);
      const before = open.get(instance);
      const isRetry = before !== undefined && now.at - before.at <= retriedMilliseconds;
      left.set(exchange, isRetry ? before : now);
      open.set(instance, isRetry ? before : now);
    },
    heard(exchange) {
      const began = left.get(exchange);
      const { instance } = exchange;
      if (began === undefined) return;
      open.delete(instance);
      last.set(instance, { began, ended: momentOf(instance) });
    },
  } satisfies Observer;
  return { observer, lastOf: (instance: string) => last.get(instance) };
}
