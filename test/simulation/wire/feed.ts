import type { WireBody } from '../../../shared/adapters/kubernetes/wire.ts';

/** A body that comes bit by bit. What has arrived waits for its one reader. */
export interface Feed extends WireBody {
  push(text: string): void;
  end(): void;
  fail(error: unknown): void;
}

type Result = IteratorResult<string, undefined>;

const over: Result = { done: true, value: undefined };

const failed = (why: unknown): Promise<never> => Promise.reject(why);

/** `unwanted`: called when the reader does not want the rest. */
export function createFeed(unwanted: () => void): Feed {
  const arrived: string[] = [];
  let end: Promise<Result> | undefined;
  let waiting: PromiseWithResolvers<Result> | undefined;

  const next = (): Promise<Result> => {
    const value = arrived.shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (end !== undefined) return end;
    waiting = Promise.withResolvers();
    return waiting.promise;
  };
  const finish = (how: Promise<Result>): void => {
    // Whether anybody reads on to this end is the reader's affair.
    how.catch(() => undefined);
    end ??= how;
    waiting?.resolve(end);
    waiting = undefined;
  };

  return {
    push(value) {
      if (end !== undefined) return;
      if (waiting === undefined) arrived.push(value);
      else waiting.resolve({ done: false, value });
      waiting = undefined;
    },
    end: () => finish(Promise.resolve(over)),
    fail: (error) => finish(failed(error)),
    destroy: unwanted,
    async text() {
      let all = '';
      for (let bit = await next(); bit.done !== true; bit = await next()) all += bit.value;
      return all;
    },
    [Symbol.asyncIterator]: () => ({ next }),
  };
}
