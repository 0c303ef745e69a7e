import type { CloudEvent } from '../../events/envelope.ts';
import type { InstanceLog } from '../runtime/log.ts';
import { readCloudEvent } from './cloud-events/cloud-event.ts';
import type { FunctionContext } from './context.ts';
import { BodyTooLarge } from './failures.ts';
import type { Handler } from './function.ts';
import type { HttpRequest } from './message.ts';
import { traceDelivery } from './trace-delivery.ts';

/** The query of the address says more about the event: its sender is a Broker and adds nothing of ours to it. */
type Hear = (event: CloudEvent, log: InstanceLog, query: URLSearchParams) => Promise<void>;

/**
 * A function that takes events of every type and has nothing to say to them. It always answers with an empty 204: what
 * it did not understand, or could not do, must not come back to it as a dead letter of its own.
 */
export function defineListener(hear: Hear): Handler {
  return async (request, context) => {
    try {
      const event = await eventIn(request, context);
      const query = new URLSearchParams(request.query);
      await traceDelivery(context, { headers: request.headers, event }, (log) => hear(event, log, query));
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
