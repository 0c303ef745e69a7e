import type { ApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import type { Exchange } from './exchange.ts';
import type { Meddling } from './meddling.ts';
import type { OpenWatch } from './watch.ts';

export interface SimulatedWireParts {
  /** The instance of this wire, as observers of requests know it. */
  instance: string;
  /** The API server at an address; undefined without a listener. */
  serverAt(address: string): Pick<ApiServer, 'respond'> | undefined;
  /** Whose address it is, where servers have others than their own names. */
  hostAt?(address: string): string;
  /** Called when a request leaves: it may arrive much later, where the instance stands still meanwhile. */
  leaves?(exchange: Exchange): void;
  /** Called for a change, with a promise of its answer. */
  begins?(what: string, answer: Promise<unknown>): void;
  /** A scheduling point: before a request arrives, before its answer does, before each line of a watch. */
  step(label: string): Promise<void>;
  /** Asked when the request has arrived, before the server is. */
  meddle(exchange: Exchange): Meddling;
  /** Called right before the server is asked, if it is. */
  arrives?(exchange: Exchange): void;
  /** Called right after the server has done it, before the client learns of it. */
  seen(exchange: Exchange, answer: SeenAnswer | undefined): void;
  /** Called when the server's own answer has come to a client that still waits for it. */
  heard?(exchange: Exchange): void;
  /** Called when an answer has come that asks the client to stay away for so many seconds. */
  heldOff?(exchange: Exchange, seconds: number): void;
  /**
   * Called with an error that one of these or the server throws. It is a mistake of the simulation's own, and must not
   * pass for a fault of a server. No answer comes. Without this, only the process's last resort gets the error.
   */
  defect?(error: unknown): void;
}

/** The server's own answer, whatever the client gets in its place; undefined where the server was not asked. */
export interface SeenAnswer {
  code: number;
  /** Read when it is first asked for; undefined for a watch and where it is no JSON. */
  readonly body: unknown;
}

/** What the connections of one instance have in common. */
export interface Line extends Required<SimulatedWireParts> {
  readonly open: Set<OpenWatch>;
  isDead: boolean;
}
