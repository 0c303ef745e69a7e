import type { CloudEvent } from '../../../infra/local/eventing/event.ts';
import type { PostResponse } from '../../../infra/local/eventing/post.ts';
import type { Strand } from '../scheduler.ts';
import { never } from '../wire/promises.ts';

/** What becomes of an event on its way. */
export type EventFate =
  | 'arrives'
  /** Taken in and never delivered. */
  | 'is lost'
  /** Not taken in: 503. */
  | 'is refused'
  /** No process is there. */
  | 'finds nobody'
  /** Not taken in, and no answer ever comes: its sender waits for as long as it likes. */
  | 'is kept waiting'
  /** Comes so many times in all. */
  | { times: number }
  | { delayMilliseconds: number }
  /** Done, but its sender gets no answer and sends it again. */
  | 'is not answered';

/** An event on its way to the Broker, or from there to a function. */
export interface EventPassage {
  /** The function's path, such as `/drain`; undefined on the way to the Broker. */
  to: string | undefined;
  event: CloudEvent;
}

export const answerOf = (status: number): PostResponse => ({ status, headers: {}, body: new Uint8Array() });

export const nobody = (): Error => new Error('connect ECONNREFUSED');

/**
 * Lets an event have its fate. A delayed or repeated event comes by itself: its sender has its answer. The Broker's
 * strand holds it meanwhile, and loses it when it dies.
 */
export async function fated(
  fate: EventFate,
  pass: () => Promise<PostResponse>,
  strand: Strand | undefined,
): Promise<PostResponse> {
  if (fate === 'arrives') return pass();
  if (fate === 'is lost') return answerOf(202);
  if (fate === 'is refused') return answerOf(503);
  if (fate === 'finds nobody' || strand === undefined) throw nobody();
  if (fate === 'is kept waiting') return never();
  if (fate === 'is not answered') {
    await pass();
    throw new Error('read ECONNRESET');
  }
  const passUnheard = (): void => void pass().catch(() => undefined);
  if ('delayMilliseconds' in fate) {
    strand.after(fate.delayMilliseconds, passUnheard);
    return answerOf(202);
  }
  for (let time = 1; time < fate.times; time += 1) void strand.step('an event comes again').then(passUnheard);
  return pass();
}
