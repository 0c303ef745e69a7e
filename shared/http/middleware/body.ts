import type { EventType } from '../../../events/types.ts';
import { BodyTooLarge } from '../failures.ts';
import { inTime } from '../request-timeout.ts';
import type { Middleware } from './request.ts';

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
