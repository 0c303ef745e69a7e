import type { Observer } from '../../observer.ts';
import { providerSecret } from '../../platform/provider-token.ts';
import type { Exchange } from '../../wire/exchange.ts';

interface Span<Moment> {
  began: Moment;
  ended: Moment;
}

const isOfToken = ({ resource, namespace, name }: Exchange): boolean =>
  resource === 'secrets' && `${namespace}/${name}` === providerSecret;

/** When instances have last read what they show to the provider, which they do right before a call now and then. */
export function watchTokenReads<Moment>(momentOf: (instance: string) => Moment) {
  const left = new WeakMap<Exchange, Moment>();
  const last = new Map<string, Span<Moment>>();
  const observer = {
    leaves(exchange) {
      if (isOfToken(exchange)) left.set(exchange, momentOf(exchange.instance));
    },
    heard(exchange) {
      const began = left.get(exchange);
      const { instance } = exchange;
      if (began !== undefined) last.set(instance, { began, ended: momentOf(instance) });
    },
  } satisfies Observer;
  return { observer, lastOf: (instance: string) => last.get(instance) };
}
