import type { CloudEvent } from '../../infra/local/eventing/event.ts';
import type { ProviderAnswer as HttpAnswer } from '../../infra/local/provider/app.ts';
import type { ProviderCall } from './platform/provider.ts';
import type { ProviderAnswer } from './platform/provider-answer.ts';
import type { Exchange } from './wire/exchange.ts';
import type { SeenAnswer } from './wire/line.ts';

/** What is answered in a server's place; `retryAfter` as its header has it. */
export interface InventedAnswer {
  code: number;
  message: string;
  retryAfter?: string;
}

/**
 * Who watches a simulation, and changes nothing in it. All calls come at the moment it is so, before anybody else
 * knows.
 */
export interface Observer {
  /** A request leaves its sender. It may arrive much later, if the sender stands still meanwhile. */
  leaves?(exchange: Exchange): void;
  /** A request reaches its API server, right before the answer. Not called if it comes too late for its sender. */
  before?(exchange: Exchange): void;
  /** Right after it was answered, also one that comes too late. */
  after?(exchange: Exchange, answer: SeenAnswer): void;
  /** The answer has come to its client, as the server gave it; many never do. */
  heard?(exchange: Exchange): void;
  /** Something else than the server answers in its place, and the server is not asked. */
  invented?(exchange: Exchange, answer: InventedAnswer): void;
  /** An answer has come to its client: its API wants no request for so many seconds. */
  heldOff?(exchange: Exchange, seconds: number): void;
  /** A call of the provider, which may think about it for a while, or never get it. */
  asked?(call: ProviderCall): void;
  /** What the provider did, or answered that it did; undefined where neither. */
  provider?(call: ProviderCall, answer: ProviderAnswer | undefined): void;
  /** The answer has come to who called the provider, as it was given to it. */
  providerHeard?(call: ProviderCall, answer: HttpAnswer): void;
  /** An event is on its way to the Broker. It may never come there. */
  sent?(event: CloudEvent): void;
  /** The Broker has taken an event in. */
  event?(event: CloudEvent): void;
  /** A function answers an event with another one; the Broker may not hear of it. */
  replied?(reply: CloudEvent, event: CloudEvent): void;
  /** An instance answers after so long that a request is done; `left`: what it still changes for its sake. */
  answered?(instance: string, milliseconds: number, left: readonly string[]): void;
  /** Something that somebody beside phaseout did, or that went wrong. */
  said?(who: string, what: string): void;
  /** A fault has struck this instance, or source; undefined where it strikes all, or none of them. */
  hit?(fault: string, phases: readonly string[], instance: string | undefined): void;
  /** A line of an instance's log. */
  logged?(instance: string, level: string, message: string, fields: object): void;
  /** Nothing goes wrong from now on, and no user changes anything any more. */
  calm?(): void;
  /** Every Machine that could go has gone, or has had more than enough time; somebody gives in right after this. */
  stoodStill?(): void;
  /** Nothing has been deleted for a while and everything is settled; a while is still to come. */
  quiet?(): void;
  /** The simulation is over. */
  ended?(): void;
}
