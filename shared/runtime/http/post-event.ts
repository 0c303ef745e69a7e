import type { BinaryMessage } from './cloud-event.ts';

export interface Answer {
  status: number;
  retryAfterSeconds?: number;
}

/** Posts one message; rejects when no answer came. */
export type Post = (url: string, message: BinaryMessage, signal: AbortSignal) => Promise<Answer>;

/** Follows no redirects: a POST would become a GET on the way. */
export const postByFetch: Post = async (url, { headers, body }, signal) => {
  const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
  // The connection is free for the next event only when the body was read.
  await response.arrayBuffer();
  const retryAfterSeconds = secondsIn(response.headers.get('retry-after'));
  return { status: response.status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
};

/** Of the header's two forms only seconds are taken: the other one compares two machines' clocks. */
const secondsIn = (header: string | null): number | undefined =>
  header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
