import type { Clock } from '../../../../shared/time/clock.ts';
import { arrive, type CloudEvent } from '../../../local/eventing/event.ts';
import { serveIngress } from '../../../local/eventing/ingress.ts';
import { type Exchange, readEvent, shownEvent } from './exchange.ts';

/** Where a function sends answers later, as it would to the Broker. */
export interface AnswerBroker {
  url: string;
  /** Tells each message that comes, until what it returns is called. */
  listen: (listener: Listener) => () => void;
  close: () => Promise<void>;
}

type Listener = (exchange: Exchange) => void;

/** The address ends as that of the Broker of an installation does. */
const named = { namespace: 'phaseout', name: 'phaseout' };

/** Listens on 127.0.0.1. Rejects when the port cannot be had. */
export async function openBroker(port: number, clock: Clock): Promise<AnswerBroker> {
  const listeners = new Set<Listener>();
  const tell = (exchange: Exchange): void => {
    for (const listener of listeners) listener(exchange);
  };
  const refused = (why: string): void =>
    tell({
      reading: { kind: 'none', why },
      token: undefined,
      shown: 'a message to the Broker',
      isSentLater: true,
    });
  const publish = (event: CloudEvent): Promise<{ status: 202 | 400; problem?: string }> => {
    const arrival = arrive(event, clock.now());
    if (arrival.kind === 'refused') {
      refused(arrival.problem);
      return Promise.resolve({ status: 400, problem: arrival.problem });
    }
    tell({
      reading: readEvent(event),
      token: event.attributes.answerto,
      shown: `sent to the Broker ${shownEvent(event)}`,
      isSentLater: true,
    });
    return Promise.resolve({ status: 202 });
  };
  const ingress = await serveIngress({ publish }, { ...named, port, onRefused: refused });
  return {
    url: ingress.url,
    close: () => ingress.close(),
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
