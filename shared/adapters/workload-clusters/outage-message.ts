import { noClient, Unavailable } from '../../kubernetes/errors.ts';
import type { Transport } from '../kubernetes/request.ts';
import type { Outage } from './circuit-breaker.ts';

/** What everybody is told of a cluster while it is down. */
export const isDown = (why: string, cause?: unknown): Unavailable =>
  new Unavailable(`connection to the workload cluster is down: ${why}`, { cause, statusText: noClient });

/**
 * Who tries during an outage whether it is over, and it is not, says of it what all the others are told. Who meets it first
 * tells the log what it was.
 */
export function outageText(outage: Outage, transport: Transport): Transport {
  return {
    label: (request) => transport.label(request),
    open: (request, signal) => transport.open(request, signal),
    close: () => transport.close(),
    async ask(request) {
      const wasDown = outage.why() !== undefined;
      try {
        return await transport.ask(request);
      } catch (error) {
        const why = outage.why();
        if (why === undefined || !(error instanceof Unavailable)) throw error;
        throw wasDown
          ? isDown(why, error)
          : new Unavailable(error.message, { cause: error, statusText: noClient });
      }
    },
  };
}
