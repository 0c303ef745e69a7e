import type middy from '@middy/core';
import type { EventType } from '../../../events/types.ts';
import type { FunctionContext } from '../context.ts';
import { failureKind } from '../failures.ts';
import type { HttpResponse } from '../message.ts';
import type { Delivery, Middleware } from './request.ts';

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
