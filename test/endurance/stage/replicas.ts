import type { TestContext } from 'vitest';
import { type HostProcess, hostProcess, type Surroundings } from './host.ts';

interface Replica {
  process: HostProcess;
  /** Undefined while it does not serve. */
  url: string | undefined;
}

/** Processes of the functions that share the requests; in the place of one that is ended another one begins. */
export class Replicas {
  readonly #context: TestContext;
  readonly #env: Surroundings['env'];
  #running: Replica[] = [];
  #turn = 0;

  constructor(context: TestContext, { env, activator }: Surroundings) {
    this.#context = context;
    this.#env = env;
    activator.next = () => this.#next();
  }

  /** Resolves when it serves. */
  async start(): Promise<void> {
    const replica: Replica = { process: hostProcess(this.#context, this.#env), url: undefined };
    this.#running.push(replica);
    replica.url = await replica.process.ready();
  }

  /** The one that has served longest; resolves when it has ended and another one serves. Answers how it ended. */
  async replace(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string> {
    const [oldest] = this.#running.filter(({ url }) => url !== undefined);
    if (oldest === undefined) throw new Error('none serves');
    const started = this.start();
    // An instance that is asked to end gets no more requests. A killed one still does, and its callers have to find
    // out.
    if (signal === 'SIGTERM') this.#forget(oldest);
    oldest.process.process.kill(signal);
    const ended = await oldest.process.ended;
    this.#forget(oldest);
    await started;
    return ended;
  }

  #forget(replica: Replica): void {
    this.#running = this.#running.filter((running) => running !== replica);
  }

  #next(): string | undefined {
    const urls = this.#running.map(({ url }) => url).filter((url) => url !== undefined);
    this.#turn += 1;
    return urls[this.#turn % urls.length];
  }
}
