import { Agent as HttpAgent, type IncomingMessage, request } from 'node:http';
import { Agent as HttpsAgent, request as requestSecurely } from 'node:https';
import { finished } from 'node:stream/promises';
import { getCACertificates } from 'node:tls';
import type { BinaryMessage } from '../cloud-events/cloud-event.ts';

export interface Answer {
  status: number;
  retryAfterSeconds?: number;
}

/** Posts one message; rejects when no answer came. */
export type Post = (url: string, message: BinaryMessage, signal: AbortSignal) => Promise<Answer>;

/**
 * Posts over kept-alive connections and follows no redirects: a POST would become a GET on the way. A drain tells a
 * thousand facts in seconds, and `fetch` costs three times as much for each. `authorities`: certificates in PEM of those
 * that are believed beside the usual ones, to whom an authority within a cluster does not belong.
 */
export function createPost(authorities?: string): Post {
  const ca = authorities === undefined ? {} : { ca: [...getCACertificates(), authorities] };
  const agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true, ...ca }),
  };
  return async (url, { headers, body }, signal) => {
    const target = new URL(url);
    const secure = target.protocol === 'https:';
    const agent = secure ? agents['https:'] : agents['http:'];
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const options = { method: 'POST', agent, headers: { ...headers, ...length }, signal };
    const outgoing = (secure ? requestSecurely : request)(target, options, resolve);
    outgoing.on('error', reject).end(body);
    return answerOf(await promise);
  };
}

/** The connection is free for the next event only when the body was read. */
async function answerOf(response: IncomingMessage): Promise<Answer> {
  response.resume();
  await finished(response);
  const retryAfterSeconds = secondsIn(response.headers['retry-after']);
  const status = response.statusCode ?? 0;
  return { status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

/** Of the header's two forms only seconds are taken: the other one compares two machines' clocks. */
const secondsIn = (header: string | undefined): number | undefined =>
  header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined;
