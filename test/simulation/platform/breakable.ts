import type { Post } from '../../../infra/local/eventing/post.ts';

/** Whoever breaks off waits no longer; what was asked goes on. */
export const breakable =
  (post: Post): Post =>
  (request) => {
    const { signal } = request;
    const answer = post(request);
    if (signal === undefined) return answer;
    const brokenOff = Promise.withResolvers<never>();
    const breakOff = (): void => brokenOff.reject(signal.reason);
    if (signal.aborted) breakOff();
    signal.addEventListener('abort', breakOff, { once: true });
    // A signal made of others is kept for as long as anybody listens to it.
    return Promise.race([answer, brokenOff.promise]).finally(() =>
      signal.removeEventListener('abort', breakOff),
    );
  };
