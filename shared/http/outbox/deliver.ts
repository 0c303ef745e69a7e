import { timeBox } from '../../async/timeout.ts';
import type { Clock } from '../../time/clock.ts';
import type { BinaryMessage } from '../cloud-events/cloud-event.ts';
import { NotDelivered } from '../failures.ts';
import type { Answer, Post } from './post.ts';
import { isRetryable, maxRetries, pauseMilliseconds } from './retry.ts';

export interface Sender {
  sink: string;
  post: Post;
  clock: Clock;
  random: () => number;
}

/** A sink that does not answer is as good as one that is down. */
const attemptMilliseconds = 30_000;

/** Posts until the sink takes it: a status of 2xx. Throws NotDelivered after the last attempt or a final refusal. */
export async function deliver(sender: Sender, message: BinaryMessage, signal?: AbortSignal): Promise<void> {
  for (let retry = 0; ; retry += 1) {
    const answer = await attempt(sender, message, signal);
    if (answer instanceof Error) {
      if (retry === maxRetries || signal?.aborted) throw lost(sender, 'no answer', answer);
    } else {
      if (answer.status >= 200 && answer.status < 300) return;
      if (retry === maxRetries || !isRetryable(answer.status)) throw lost(sender, `status ${answer.status}`);
    }
    const retryAfter = answer instanceof Error ? undefined : answer.retryAfterSeconds;
    await pause(sender, pauseMilliseconds(retry, sender.random, retryAfter), signal);
  }
}

const lost = ({ sink }: Sender, why: string, cause?: unknown): NotDelivered =>
  new NotDelivered(`the sink ${sink} did not take an event: ${why}`, { cause });

async function attempt(
  sender: Sender,
  message: BinaryMessage,
  signal?: AbortSignal,
): Promise<Answer | Error> {
  const box = timeBox(sender.clock, attemptMilliseconds);
  const signals = signal === undefined ? [box.signal] : [box.signal, signal];
  try {
    return await sender.post(sender.sink, message, AbortSignal.any(signals));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    box.cancel();
  }
}

function pause(sender: Sender, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = sender.clock.after(milliseconds, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    const abort = (): void => {
      stop();
      reject(lost(sender, 'the time of the request is over'));
    };
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
