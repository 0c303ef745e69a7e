import type { Clock } from '../../../shared/time/clock.ts';
import type { CloudEvent } from './event.ts';
import { binaryHeaders } from './http-binding.ts';
import { pause } from './pause.ts';
import type { Post } from './post.ts';

/** The sources' client, as measured: five retries after these pauses, 3.1 s in all. */
const pausesMilliseconds = [100, 200, 400, 800, 1600];

/** A Broker's 500 is not among them, and so is final to a source. Retry-After is not looked at. */
const retriedStatuses = new Set([404, 413, 425, 429, 502, 503, 504]);

export interface Sink {
  url: string;
  post: Post;
  clock: Clock;
  /** The source's own namespace, which travels beside the event. */
  namespace: string;
  signal: AbortSignal;
}

export type Sending = { kind: 'accepted' } | { kind: 'dropped'; attempts: number; reason: string };

/** Sends one event as the sources do, with the same id at every attempt. An event that it gives up is lost. */
export async function sendEvent(sink: Sink, event: CloudEvent): Promise<Sending> {
  let attempts = 0;
  for (;;) {
    const refusal = await once(sink, event);
    if (refusal === undefined) return { kind: 'accepted' };

    const milliseconds = pausesMilliseconds[attempts++];
    const isFinal = milliseconds === undefined || !refusal.retried || sink.signal.aborted;
    if (isFinal) return { kind: 'dropped', attempts, reason: refusal.reason };
    await pause(sink.clock, milliseconds, sink.signal);
    if (sink.signal.aborted) return { kind: 'dropped', attempts, reason: refusal.reason };
  }
}

async function once(
  { url, post, namespace, signal }: Sink,
  event: CloudEvent,
): Promise<{ retried: boolean; reason: string } | undefined> {
  const headers = { ...binaryHeaders(event), 'Kn-Namespace': namespace };
  try {
    const { status } = await post({ url, headers, body: event.data, signal });
    if (status >= 200 && status < 300) return undefined;
    return { retried: retriedStatuses.has(status), reason: `status ${status}` };
  } catch (error) {
    return { retried: true, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** A UUID of version 4 from the given source of chance, so that a seeded run names its events alike. */
export function randomId(random: () => number): string {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replaceAll(/[xy]/g, (place) => {
    const digit = Math.floor(random() * 16);
    return (place === 'x' ? digit : (digit % 4) + 8).toString(16);
  });
}
