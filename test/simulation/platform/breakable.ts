import type { Post } from '../../../infra/local/eventing/post.ts';

/** Who waits for an answer, and may break off: each with what takes its ear off the signal. */
export type Listening = Set<() => void>;

/** A caller that breaks off waits no longer; its request goes on. */
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
    // A composed signal stays in memory, with all that it holds, as long as it has a listener.
    const letGo = (): void => signal.removeEventListener('abort', breakOff);
    listening.add(letGo);
    return Promise.race([answer, brokenOff.promise]).finally(() => {
      letGo();
      listening.delete(letGo);
    });
  };
