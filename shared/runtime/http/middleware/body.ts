import type { EventType } from '../../../../events/types.ts';
import { BodyTooLarge, RequestTimedOut } from '../failures.ts';
import type { Middleware } from './request.ts';

/** Takes in the body, within its limit and the request's time. */
export function body<T extends EventType>(): Middleware<T> {
  return {
    async before({ event: delivery, context }) {
      const { promise: timeout, reject } = Promise.withResolvers<never>();
      const late = (): void => reject(new RequestTimedOut());
      const stop = context.clock.after(context.getRemainingTimeInMillis(), late);
      try {
        const read = await Promise.race([delivery.request.readBody(context.bodyLimitBytes), timeout]);
        if (typeof read === 'number') throw new BodyTooLarge(read, context.bodyLimitBytes);
        delivery.body = read;
      } finally {
        stop();
      }
    },
  };
}
