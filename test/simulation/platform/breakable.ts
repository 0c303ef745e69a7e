import type { Post } from '../../../infra/local/eventing/post.ts';

/** Who waits for an answer, and may break off: each with what takes its ear off the signal. */
export type Listening = Set<() => void>;

/** Whoever breaks off waits no longer; what was asked goes on. */
export const breakable =
  (post: Post, listening: Listening): Post =>
  (request) => {
    const { signal } = request;
    const answer = post(request);
    if (signal === undefined) return answer;
    const brokenOff = Promise.withResolvers<never>();
    const breakOff = (): void => brokenOff.reject(signal.reason);
    if (signal.aborted) breakOff();
    signal.addEventListener('abort', breakOff, { once: true });
    // A signal made of others is kept for as long as anybody listens to it, with all that hangs on it.
    const letGo = (): void => signal.removeEventListener('abort', breakOff);
    listening.add(letGo);
    return Promise.race([answer, brokenOff.promise]).finally(() => {
      letGo();
      listening.delete(letGo);
    });
  };
