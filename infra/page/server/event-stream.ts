import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../shared/time/clock.ts';

/** A word now and then, so that a connection that is dead is noticed. */
const aliveMilliseconds = 15_000;

/** Server-sent events: each is one view as JSON, and the next one takes its place. */
export function openEventStream(
  response: ServerResponse,
  clock: Pick<Clock, 'after'>,
): (found: object) => void {
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
