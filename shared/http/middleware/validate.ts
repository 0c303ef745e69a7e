import { parseEvent } from '../../../events/parse.ts';
import type { EventType } from '../../../events/types.ts';
import { MalformedEvent } from '../cloud-events/malformed-event.ts';
import type { Middleware } from './request.ts';

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
