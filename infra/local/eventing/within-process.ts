import { setImmediate } from 'node:timers/promises';
import { unlessAborted } from '../../../shared/async/timeout.ts';
import type { App } from '../../../shared/http/app.ts';
import type { Answer, Post as OutboxPost } from '../../../shared/http/outbox/deliver.ts';
import { flatten } from './http-binding.ts';
import type { Post } from './post.ts';

/** What this process serves over HTTP, and answers without it as well. */
export interface Site {
  /** Its URL, at any path below. */
  url: string;
  app: App;
}

/**
 * Posts to sites of this process without HTTP, and to all others as `elsewhere` does. Sockets, their parsers and streams were
 * a quarter of what a deletion costs here. The messages are the same.
 */
export const withinProcess =
  (sites: () => readonly Site[], elsewhere: Post): Post =>
  async (request) => {
    const site = sites().find(({ url }) => request.url === url || request.url.startsWith(`${url}/`));
    if (site === undefined) return elsewhere(request);
    const { signal, body } = request;
    signal?.throwIfAborted();
    // One sender of many events must not keep all else waiting.
    await setImmediate();
    const { pathname: path, search } = new URL(request.url);
    const answered = site.app({
      method: 'POST',
      path,
      query: search.slice(1),
      headers: flatten(request.headers),
      readBody: async (limitBytes) => (body.length > limitBytes ? body.length : body),
    });
    const {
      status,
      headers,
      body: text,
    } = await (signal === undefined ? answered : unlessAborted(signal, answered));
    return { status, headers: flatten(headers), body: Buffer.from(text) };
  };

/** For the outbox of the functions. */
export const outboxPost =
  (post: Post): OutboxPost =>
  async (url, { headers, body }, signal): Promise<Answer> => {
    const { status } = await post({ url, headers, body: Buffer.from(body), signal });
    return { status };
  };
