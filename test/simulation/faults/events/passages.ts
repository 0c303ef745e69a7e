import type { EventPassage } from '../../platform/event-fate.ts';
import type { Fault } from '../fault.ts';
import { eventFault, isOurs, isTick } from './event-fault.ts';

const hour = 3_600_000;

const repeatedMilliseconds = 10_000;

const keyOf = ({ to, event: { attributes } }: EventPassage): string =>
  `${to} ${attributes['source']} ${attributes['id']}`;

const repeating = {
  name: 'events-repeated',
  about: 'Events come up to five times.',
  becomes: 'come several times',
};

/** A copy of an event is the same event. If each of five copies came five times, there would be no end. */
const repeated: Fault = {
  ...repeating,
  strike(setting) {
    const lastTimes = new Map<string, number>();
    return eventFault({
      ...repeating,
      fits: (passage, { world }) =>
        world.now() - (lastTimes.get(keyOf(passage)) ?? -Infinity) >= repeatedMilliseconds,
      fate(passage, { world, random }) {
        lastTimes.set(keyOf(passage), world.now());
        return { times: random.between(2, 5) };
      },
    }).strike(setting);
  },
};

/** What becomes of single events on their way. */
export const passages: readonly Fault[] = [
  eventFault({
    name: 'events-lost',
    about: 'Events vanish on their way, and nobody hears of it.',
    becomes: 'are lost',
    fate: () => 'is lost',
  }),
  repeated,
  eventFault({
    name: 'events-reordered',
    about: 'Events overtake one another.',
    becomes: 'overtake one another',
    fate: (_passage, { random }) => ({ delayMilliseconds: random.between(1, random.oneOf([500, 10_000])) }),
  }),
  eventFault({
    name: 'events-delayed',
    about: 'Events come minutes or hours later, some of them when nothing goes wrong any more.',
    becomes: 'are kept back',
    fate: (_passage, { random }) => ({
      delayMilliseconds: random.oneOf([60_000, 600_000, 3 * hour]) * random(),
    }),
  }),
  eventFault({
    name: 'events-refused',
    about: 'The Broker does not take events in, or functions cannot be reached.',
    becomes: 'are refused',
    fate: (_passage, { random }) => random.oneOf(['is refused', 'finds nobody']),
  }),
  eventFault({
    name: 'sink-hangs',
    about: 'The Broker neither takes in what functions send nor answers them.',
    becomes: 'are not answered',
    courses: ['in bursts', 'for long'],
    fits: isOurs,
    fate: () => 'is kept waiting',
  }),
  eventFault({
    name: 'answer-lost',
    about: 'What a function answers is lost after all was done, and the event comes again.',
    becomes: 'are handled without an answer',
    fate: () => 'is not answered',
  }),
];

/** What becomes of ticks. */
export const ticks: readonly Fault[] = [
  eventFault({
    name: 'ticks-late',
    about: 'Ticks come up to a minute late.',
    becomes: 'of the clock are late',
    fits: isTick,
    fate: (_passage, { random }) => ({ delayMilliseconds: random.between(1_000, 60_000) }),
  }),
  eventFault({
    name: 'ticks-doubled',
    about: 'Ticks come twice.',
    becomes: 'of the clock come twice',
    fits: isTick,
    fate: () => ({ times: 2 }),
  }),
  eventFault({
    name: 'ticks-missing',
    about: 'No tick comes for a while.',
    becomes: 'of the clock do not come',
    courses: ['in bursts', 'for long'],
    fits: isTick,
    fate: () => 'is lost',
  }),
];
