import type { ApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import type { ApiRequest } from '../../../infra/local/kubernetes/server/request.ts';
import { settled, type VirtualClock } from './virtual-clock.ts';

/** Lets the replayer talk to a server in the same process, under a clock that only moves when somebody waits. */
export function inProcess(server: ApiServer, clock: VirtualClock) {
  return {
    request(request: ApiRequest) {
      const { status, headers, body } = server.respond(request);
      return Promise.resolve({ status, headers, text: body });
    },
    watch(request: ApiRequest) {
      const { status, headers, body, stream } = server.respond(request);
      const events: unknown[] = [];
      const state = { isEnded: stream === undefined };
      stream?.read(
        (line) => events.push(JSON.parse(line)),
        () => {
          state.isEnded = true;
        },
      );
      return Promise.resolve({
        status,
        headers,
        text: body,
        close: () => stream?.close(),
        /** The next event, null at the end of the stream, undefined when none comes in time. */
        async next(milliseconds: number) {
          const until = clock.now() + milliseconds;
          do await settled();
          while (events.length === 0 && !state.isEnded && clock.step(until));
          if (events.length > 0) return events.shift();
          return state.isEnded ? null : undefined;
        },
      });
    },
  };
}
