import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../../shared/time/clock.ts';
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

/** A word now and then, so that a connection that is dead is noticed. */
const aliveMilliseconds = 15_000;

/** Server-sent events: each is one view as JSON, and the next one takes its place. */
function openEventStream(response: ServerResponse, clock: Pick<Clock, 'after'>): (found: object) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write('retry: 2000\n\n');
  keepAlive(response, clock);
  return (found) => {
    // A browser that reads slowly gets the next view, not all of them.
    if (response.writable && !response.writableNeedDrain)
      response.write(`data: ${JSON.stringify(found)}\n\n`);
  };
}

function keepAlive(response: ServerResponse, clock: Pick<Clock, 'after'>): void {
  const stop = clock.after(aliveMilliseconds, () => {
    response.off('close', stop);
    response.write(': alive\n\n');
    keepAlive(response, clock);
  });
  response.once('close', stop);
}
