import type { EventType } from '../../../events/types.ts';
import { failureKind, failureResponse } from '../failures.ts';
import type { Middleware } from './request.ts';

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
