import type middy from '@middy/core';
import type { CloudEvent } from '../../events/envelope.ts';
import { type EventOf, type EventType, parseEvent } from '../../events/types.ts';
import { withinDeadline } from '../async/timeout.ts';
import { readCloudEvent } from './cloud-events/cloud-event.ts';
import { MalformedEvent } from './cloud-events/well-formed.ts';
import type { FunctionContext } from './context.ts';
import { BodyTooLarge, failureKind, failureResponse, RequestTimedOut } from './failures.ts';
import type { HttpRequest, HttpResponse } from './message.ts';

/** A request on its way to the function; each middleware fills in what the next one needs. */
export interface Delivery<T extends EventType = EventType> {
  request: HttpRequest;
  body?: Uint8Array;
  cloudEvent?: CloudEvent;
  /** The event, when it has been found to be of a type the function takes. */
  event?: EventOf<T>;
}

type Middleware<T extends EventType> = middy.MiddlewareObj<Delivery<T>, HttpResponse, Error, FunctionContext>;

/** Works on a request for as long as it may take by the instance's clock. Throws RequestTimedOut. */
export const inTime = <T>(
  { clock, getRemainingTimeInMillis }: Pick<FunctionContext, 'clock' | 'getRemainingTimeInMillis'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => withinDeadline(clock, getRemainingTimeInMillis(), work, () => new RequestTimedOut());

/** Takes in the body, within its limit and the request's time. */
export function body<T extends EventType>(): Middleware<T> {
  return {
    async before({ event: delivery, context }) {
      const read = await inTime(context, () => delivery.request.readBody(context.bodyLimitBytes));
      if (typeof read === 'number') throw new BodyTooLarge(read, context.bodyLimitBytes);
      delivery.body = read;
    },
  };
}

/** Reads the CloudEvent that the request carries. */
export function parse<T extends EventType>(): Middleware<T> {
  return {
    before({ event: delivery }) {
      delivery.cloudEvent = readCloudEvent(delivery.request.headers, delivery.body ?? new Uint8Array());
    },
  };
}

/** Lets pass only events of these types that keep to their schemas. */
export function validate<T extends EventType>(types: readonly T[]): Middleware<T> {
  return {
    before({ event: delivery }) {
      if (delivery.cloudEvent === undefined) return;
      const reading = parseEvent(delivery.cloudEvent, types);
      if (reading.kind === 'malformed') throw new MalformedEvent(reading.field, reading.why);
      delivery.event = reading.event;
    },
  };
}

/** One line for each request: what came, how it ended, how long it took. */
export function accessLog<T extends EventType>(): Middleware<T> {
  return { after: logRequest, onError: logRequest };
}

function logRequest({
  event: delivery,
  context,
  response,
  error,
}: middy.Request<Delivery, HttpResponse, Error, FunctionContext>): void {
  const { cloudEvent } = delivery;
  const fields = {
    status: response?.status,
    milliseconds: context.age(),
    type: cloudEvent?.type,
    event: cloudEvent?.id,
    subject: cloudEvent?.subject,
    reply: response?.headers['ce-type'],
  };
  if (response !== undefined && response !== null && response.status < 400)
    context.log.info('request', fields);
  else context.log.warn('request', { ...fields, failure: failureKind(error), why: error?.message });
}

/** Answers for whatever was thrown. */
export function failures<T extends EventType>(): Middleware<T> {
  return {
    onError(request) {
      const { error, context } = request;
      request.response = failureResponse(error);
      // The others are told to the sender in full; this one only here, with its stack.
      if (failureKind(error) === 'unexpected') context.log.error('unexpected error', { error });
    },
  };
}
