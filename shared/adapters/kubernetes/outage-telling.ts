import { CouldNotLook } from '../../kubernetes/port.ts';
import type { Outage } from './outage.ts';
import type { Transport } from './request.ts';

/** What everybody is told of a cluster while it is down. */
export const isDown = (why: string, cause?: unknown): CouldNotLook =>
  new CouldNotLook(`connection to the workload cluster is down: ${why}`, { cause });

/** Who tries during an outage whether it is over, and it is not, says of it what all the others are told. */
export function tellingOf(outage: Outage, transport: Transport): Transport {
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
        throw wasDown && why !== undefined && error instanceof CouldNotLook ? isDown(why, error) : error;
      }
    },
  };
}
