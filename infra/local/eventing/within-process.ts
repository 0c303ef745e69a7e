import { unlessAborted } from '../../../shared/async/unless-aborted.ts';
import type { Broker } from './broker.ts';
import { takeIn } from './ingress.ts';
import type { Post, PostRequest } from './post.ts';

interface Neighbours {
  broker: () => Broker;
  /** The Broker's address. */
  ingressUrl: string;
  /** The base of the functions' addresses. */
  functionsUrl: string;
  functions: Post;
  /** For all other addresses. */
  outside: Post;
}

/**
 * Hands what is sent between the Broker and functions of one process on by a call. HTTP to itself cost a process a third
 * of what a deletion costs it.
 */
export const withinProcess =
  ({ broker, ingressUrl, functionsUrl, functions, outside }: Neighbours): Post =>
  async (request) => {
    const { url, signal = new AbortController().signal } = request;
    const received = { ...request, headers: lowered(request.headers) };
    if (url === ingressUrl) {
      const { status, body = '' } = await unlessAborted(signal, takeIn(broker(), received));
      return { status, headers: {}, body: Buffer.from(body) };
    }
    if (url.startsWith(functionsUrl)) return unlessAborted(signal, functions(received));
    return outside(request);
  };

/** As a server reads them. */
const lowered = (headers: PostRequest['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
