import type { Post, PostRequest, PostResponse } from '../../../../infra/local/eventing/post.ts';
import type { Clock } from '../../../../shared/time/clock.ts';

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** No answer at all. */
  reset?: true;
  hangs?: true;
}

interface Received extends PostRequest {
  at: number;
}

/** A network of subscribers that answer as told, by URL, and of everything they were sent. */
export function scriptedPost(
  clock: Clock,
  answers: Record<string, Answer | ((request: PostRequest) => Answer)>,
) {
  const received: Received[] = [];
  const post: Post = async (request) => {
    received.push({ ...request, at: clock.now() });
    const scripted = answers[request.url] ?? {};
    const answer = typeof scripted === 'function' ? scripted(request) : scripted;
    if (answer.reset) throw new Error('EOF');
    if (answer.hangs) return new Promise((_, reject) => refuse(request.signal, reject));
    return response(answer);
  };
  return {
    post,
    to: (url: string) => received.filter((request) => request.url === url),
    /** The pauses between the requests to one URL, in milliseconds. */
    gaps: (url: string) =>
      received
        .filter((request) => request.url === url)
        .map(({ at }) => at)
        .flatMap((at, index, all) => (index === 0 ? [] : [at - all[index - 1]!])),
  };
}

function refuse(signal: AbortSignal | undefined, reject: (reason: unknown) => void): void {
  signal?.addEventListener('abort', () => reject(signal.reason));
}

const response = ({ status = 200, headers = {}, body = '' }: Answer): PostResponse => ({
  status,
  headers,
  body: Buffer.from(body),
});
