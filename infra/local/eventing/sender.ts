import type { Clock } from '../../../shared/time/clock.ts';
import type { CloudEvent } from './event.ts';
import { binaryHeaders } from './http-binding.ts';
import { pause } from './pause.ts';
import type { Post } from './post.ts';

/** The sources' client, as measured: five retries after these pauses, 3.1 s in all. */
const pausesMilliseconds = [100, 200, 400, 800, 1600];

/** A Broker's 500 is not among them, and so is final to a source. Retry-After is not looked at. */
const retriedStatuses = new Set([404, 413, 425, 429, 502, 503, 504]);

/** What every source is given. */
export interface SourceOptions<Source extends { namespace: string }> {
  source: Source;
  /** Where its events are posted to. */
  sink: string;
  clock: Clock;
  random: () => number;
  post: Post;
}

/**
 * Sends an event of a source as the real ones do, with the same id at every attempt. Tells of one that is lost, unless
 * `signal` has ended it.
 */
export async function sendFrom(sender: Sender, event: CloudEvent, signal: AbortSignal): Promise<void> {
  for (const milliseconds of [...pausesMilliseconds, undefined]) {
    const refusal = await once(sender, event, signal);
    if (refusal === undefined || signal.aborted) return;
    if (milliseconds === undefined || !refusal.retried) return sender.onDropped?.(refusal.reason, event);
    await pause(sender.clock, milliseconds, signal);
    if (signal.aborted) return;
  }
}

interface Sender extends SourceOptions<{ namespace: string }> {
  onDropped?: (reason: string, event: CloudEvent) => void;
}

async function once(
  { sink: url, post, source: { namespace } }: Sender,
  event: CloudEvent,
  signal: AbortSignal,
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
