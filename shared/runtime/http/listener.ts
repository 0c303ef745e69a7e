import type { CloudEvent } from '../../../events/envelope.ts';
import type { Log } from '../log.ts';
import { readCloudEvent } from './cloud-event.ts';
import type { FunctionContext } from './context.ts';
import { BodyTooLarge } from './failures.ts';
import type { Handler } from './function.ts';
import type { HttpRequest } from './message.ts';
import { traceDelivery } from './trace-delivery.ts';

/**
 * A function that takes events of every type and has nothing to say to them. It always answers with an empty 204: what
 * it did not understand, or could not do, must not come back to it as a dead letter of its own.
 */
export function defineListener(hear: (event: CloudEvent, log: Log) => Promise<void>): Handler {
  return async (request, context) => {
    try {
      const event = await eventIn(request, context);
      await traceDelivery(context, { headers: request.headers, event }, (log) => hear(event, log));
    } catch (error) {
      context.log.warn('Event was not understood', { error });
    }
    return { status: 204, headers: {}, body: '' };
  };
}

async function eventIn(request: HttpRequest, { bodyLimitBytes }: FunctionContext): Promise<CloudEvent> {
  const body = await request.readBody(bodyLimitBytes);
  if (typeof body === 'number') throw new BodyTooLarge(body, bodyLimitBytes);
  return readCloudEvent(request.headers, body);
}
