import { isFact, type OutEvent } from '../../events/types.ts';
import { toBinary } from './cloud-events/cloud-event.ts';
import type { HttpResponse } from './message.ts';

/**
 * The answer to a request that went well: an empty 204, or the event that is the reply. A broker takes any other
 * body for a failure. Of several events the first command is the reply, so that a deletion goes on even where no
 * sink is known; the others are emitted before.
 */
export async function reply(said: Said, emit: (event: OutEvent) => Promise<void>): Promise<HttpResponse> {
  const events = said === undefined ? [] : [said].flat();
  const answer = events.find((event) => !isFact(event)) ?? events[0];
  await Promise.all(events.filter((event) => event !== answer).map((event) => emit(event)));
  if (answer === undefined) return { status: 204, headers: {}, body: '' };
  return { status: 200, ...toBinary(answer) };
}

/** What a function says: nothing, its reply, or several events, one of them the reply. */
export type Said = OutEvent | readonly OutEvent[] | undefined;
