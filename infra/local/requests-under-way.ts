import type { Server, ServerResponse } from 'node:http';

/** Which requests a server has taken in whole and not answered yet, also where nobody waits for the answer any more. */
export interface RequestsUnderWay {
  /** Waits for a moment at which there is none; whoever closes the server then at once interrupts nothing. */
  none(): Promise<void>;
}

export function followRequests(server: Server): RequestsUnderWay {
  const underWay = new Set<ServerResponse>();
  const waiting: (() => void)[] = [];
  // Before the server's own listener, which may answer at once.
  server.prependListener('request', (request, response: ServerResponse) => {
    const end = response.end.bind(response);
    request.once('end', () => underWay.add(response));
    Object.assign(response, {
      end(...all: unknown[]): unknown {
        const answered: unknown = Reflect.apply(end, response, all);
        underWay.delete(response);
        if (underWay.size === 0) for (const go of waiting.splice(0)) go();
        return answered;
      },
    });
  });
  return {
    async none() {
      while (underWay.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
