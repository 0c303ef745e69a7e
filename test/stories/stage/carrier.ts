import type { BinaryMessage } from '../../../shared/http/cloud-events/cloud-event.ts';

/** What takes events to the functions of a story. */
export interface Carrier {
  /** From now on Machines' changes and ticks arrive. It sends nothing about what exists already. */
  start(): void;
  stop(): void;
  /** Takes an event of the functions in; answers with a status where it does not always take it. */
  publish(message: BinaryMessage, origin: Origin): Promise<{ status: number }> | undefined;
}
/** Where an event comes from; what is lost in a story depends on it. */
export type Origin = 'change' | 'tick' | 'reply' | 'sweep' | 'wake-up';
