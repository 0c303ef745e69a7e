import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../../shared/time/clock.ts';
import { openEventStream } from './event-stream.ts';
import { end } from './http.ts';

/** Reads a view from now on; returns the way to end that. */
export type Read<T extends object = object> = (reader: (found: T) => void) => () => void;

/** Answers with the view as it is now, or with each that comes, as events. */
export function answerView(
  read: Read | undefined,
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  response: ServerResponse,
  clock: Pick<Clock, 'after'>,
): void {
  if (read === undefined) return end(response, 404, 'there is no such view\n');
  if (method === 'HEAD') return end(response, 200, '', 'application/json');
  const send = headers.accept === 'text/event-stream' ? openEventStream(response, clock) : once(response);
  response.once('close', read(send));
}

/** The first that is found is the answer. */
const once =
  (response: ServerResponse) =>
  (found: object): void => {
    if (!response.writableEnded) end(response, 200, JSON.stringify(found), 'application/json');
  };
