import { Agent, request } from 'undici';
import { flatten, type Headers } from './http-binding.ts';

export interface PostRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  signal?: AbortSignal;
}

/** A response with its whole body. */
export interface PostResponse {
  status: number;
  headers: Headers;
  body: Uint8Array;
}

/** Sends one request and returns any response, redirects included. Throws without a response. */
export type Post = (request: PostRequest) => Promise<PostResponse>;

/**
 * Posts over kept-alive connections. It has no time-out of its own: the Trigger says how long to wait. A source
 * without a time-out waits forever, as the real one does.
 */
export function createPool(): { post: Post; close: () => Promise<void> } {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 30_000 });
  return {
    post: async ({ url, headers, body, signal }) => {
      const abort = signal === undefined ? {} : { signal };
      const answer = await request(url, { method: 'POST', dispatcher: agent, headers, body, ...abort });
      const bytes = await answer.body.bytes();
      return { status: answer.statusCode, headers: flatten(answer.headers), body: bytes };
    },
    close: () => agent.destroy(),
  };
}
