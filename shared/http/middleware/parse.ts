import type { EventType } from '../../../events/types.ts';
import { readCloudEvent } from '../cloud-events/cloud-event.ts';
import type { Middleware } from './request.ts';

/** Reads the CloudEvent that the request carries. */
export function parse<T extends EventType>(): Middleware<T> {
  return {
    before({ event: delivery }) {
      delivery.cloudEvent = readCloudEvent(delivery.request.headers, delivery.body ?? new Uint8Array());
    },
  };
}
