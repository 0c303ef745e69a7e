import type { EventFate, EventPassage } from '../../platform/event-fate.ts';
import type { Fault } from '../fault.ts';
import { type MeddlingFault, meddlingFault } from '../meddling.ts';

export interface EventFault
  extends Pick<MeddlingFault<EventPassage, EventFate>, 'name' | 'about' | 'courses' | 'fate'> {
  /** Every event unless given. */
  fits?: MeddlingFault<EventPassage, EventFate>['fits'];
  /** What becomes of events: `are lost`. */
  becomes: string;
}

/** Something that happens to events on their way to the Broker or from there to a function. */
export const eventFault = ({ becomes, fits = () => true, ...fault }: EventFault): Fault =>
  meddlingFault((world) => (meddler) => world.meddlers.onEvent(meddler), {
    ...fault,
    fits,
    who: 'the Broker',
    says: (passage) => `events ${becomes}, such as ${wordsOf(passage)}`,
    phases: ({ event }) => phasesOf(event.attributes['phase']),
    kind: ({ to, event }) => `${to} ${event.attributes['type']}`,
  });

const phasesOf = (phase: string | undefined): readonly string[] | undefined =>
  phase === undefined ? undefined : [phase];

/** `dev.phaseout.deletion.advance.v1 to /drain`. */
const wordsOf = ({ to, event }: EventPassage): string =>
  `${event.attributes['type']} to ${to ?? 'the Broker'}`;

export const isTick = ({ event }: EventPassage): boolean =>
  event.attributes['type'] === 'dev.knative.sources.ping';

/** What a function sends on its own, and not as its answer: other senders may wait for ever. */
export const isOurs = ({ to, event }: EventPassage): boolean =>
  to === undefined && event.attributes['type']?.startsWith('dev.phaseout.') === true;
