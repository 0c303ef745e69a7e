import type { BusyServer } from './busy-server.ts';
import { constants } from './constants.ts';
import type { BusyProcess } from './process.ts';

/** Kept-alive connections of one kind. Who finds none that is idle opens another, which costs both sides. */
export class Connections {
  readonly #process: BusyProcess;
  readonly #server: BusyServer;
  #idle = 0;

  constructor({ process, server }: { process: BusyProcess; server: BusyServer }) {
    this.#process = process;
    this.#server = server;
  }

  async through<T>(gone: AbortSignal, send: () => Promise<T>): Promise<T> {
    if (this.#idle > 0) this.#idle -= 1;
    else await this.open();
    try {
      return await send();
    } finally {
      // Who goes away breaks the connection off.
      if (!gone.aborted) this.#idle += 1;
    }
  }

  async open(): Promise<void> {
    await this.#process.work(constants.instance.handshake);
    await this.#server.handshake();
  }
}
