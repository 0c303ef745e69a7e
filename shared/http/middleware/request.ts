import type middy from '@middy/core';
import type { CloudEvent } from '../../../events/envelope.ts';
import type { EventOf, EventType } from '../../../events/types.ts';
import type { FunctionContext } from '../context.ts';
import type { HttpRequest, HttpResponse } from '../message.ts';

/** A request on its way to the function; each middleware fills in what the next one needs. */
export interface Delivery<T extends EventType = EventType> {
  request: HttpRequest;
  body?: Uint8Array;
  cloudEvent?: CloudEvent;
  /** The event, when it has been found to be of a type the function takes. */
  event?: EventOf<T>;
}

export type Middleware<T extends EventType> = middy.MiddlewareObj<
  Delivery<T>,
  HttpResponse,
  Error,
  FunctionContext
>;
