import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** What a client asked for, and what the API server answered. */
export interface Asked {
  method: string;
  path: string;
  body: string;
  status: number;
}

interface FrontOptions {
  /** Of the API server behind it. */
  url: string;
  /** Called with each answer before the client has it. */
  onAnswer: (asked: Asked) => void;
}

/** Stands before an API server like a network that can fail: slow, refusing, cutting watches, or gone for a while. */
export class Front {
  readonly #options: FrontOptions;
  readonly #server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
  readonly #watches = new Set<ServerResponse>();
  #port = 0;
  latencyMilliseconds = 0;
  /** The status to answer with instead of passing the request on. */
  refusal: (method: string, path: string) => number | undefined = () => undefined;

  constructor(options: FrontOptions) {
    this.#options = options;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** On the same port as before, if there was one. */
  async open(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (typeof address === 'object' && address !== null) this.#port = address.port;
  }

  /** Connections break and new ones are refused. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** How many are open. */
  get watches(): number {
    return this.#watches.size;
  }

  cutWatches(): void {
    for (const watch of this.#watches) watch.destroy();
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
      const body = Buffer.concat(chunks);
      if (this.latencyMilliseconds > 0) await pause(this.latencyMilliseconds);
      const refused = this.refusal(incoming.method ?? '', incoming.url ?? '');
      if (refused === undefined) this.#forward(incoming, body, outgoing);
      else refuse(outgoing, refused);
    } catch {
      outgoing.destroy();
    }
  }

  #forward(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): void {
    const { method = '', url: path = '', headers } = incoming;
    const isWatch = path.includes('watch=');
    const forwarded = request(this.#options.url + path, { method, headers }, (answer) => {
      const status = answer.statusCode ?? 0;
      this.#options.onAnswer({ method, path, body: body.toString(), status });
      outgoing.writeHead(status, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => {
      this.#watches.delete(outgoing);
      forwarded.destroy();
    });
    if (isWatch) this.#watches.add(outgoing);
    forwarded.end(body);
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds));

function refuse(outgoing: ServerResponse, code: number): void {
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'not now',
    code,
  };
  const more = code === 429 ? { 'retry-after': '1' } : {};
  outgoing.writeHead(code, { 'content-type': 'application/json', ...more });
  outgoing.end(JSON.stringify(body));
}
