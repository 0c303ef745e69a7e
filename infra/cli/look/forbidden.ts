import type { Answer, ApiRequest, Transport } from '../../../shared/adapters/kubernetes/request.ts';
import { createTransport } from '../../../shared/adapters/kubernetes/transport.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';

/** The API server does not let the user read it. */
class Forbidden extends Unavailable {
  readonly user: string;

  constructor(message: string, user: string) {
    super(message);
    this.name = 'Forbidden';
    this.user = user;
  }
}

/** For whom a read is forbidden, where that is why it failed. */
export const isForbidden = (error: unknown): string | undefined =>
  error instanceof Forbidden ? error.user : undefined;

/** Over HTTP, where an answer 403 to a read is an error of its own. */
export function forbiddingTransport(...options: Parameters<typeof createTransport>): Transport {
  const transport = createTransport(...options);
  return {
    ask: async (request) => unlessForbidden(transport, request, await transport.ask(request)),
    open: (request, signal) => transport.open(request, signal),
    label: (request) => transport.label(request),
    close: () => transport.close(),
  };
}

function unlessForbidden(transport: Transport, request: ApiRequest, answer: Answer): Answer {
  if (answer.code !== 403 || request.method !== 'GET') return answer;
  throw new Forbidden(`${transport.label(request)}: 403 Forbidden`, userIn(answer.text));
}

/** The API server names the user in its message, between quotes that JSON escapes. */
function userIn(text: string): string {
  const name = /User \\?"([^"\\]+)/.exec(text)?.[1];
  return name === undefined ? 'this user' : `user ${name}`;
}
