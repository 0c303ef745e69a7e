import type { Post } from '../../../infra/local/eventing/post.ts';

/** Whoever breaks off waits no longer; what was asked goes on. */
export const breakable =
  (post: Post): Post =>
  (request) => {
    const { signal } = request;
    const answer = post(request);
    if (signal === undefined) return answer;
    const brokenOff = Promise.withResolvers<never>();
    if (signal.aborted) brokenOff.reject(signal.reason);
    signal.addEventListener('abort', () => brokenOff.reject(signal.reason), { once: true });
    return Promise.race([answer, brokenOff.promise]);
  };
