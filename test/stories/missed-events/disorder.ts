import type { Fleet } from '../stage/fleet.ts';
import type { Knative } from './knative.ts';
import type { Part } from './part.ts';

/** What goes wrong, and the way to have it right again. */
type Trouble = (fleet: Fleet, knative: Knative, random: () => number) => () => void;

const isGone =
  (part: (knative: Knative) => Part): Trouble =>
  (_fleet, knative) => {
    part(knative).end();
    return () => {
      if (part(knative).running === 0) part(knative).start();
    };
  };

/** Everything that a cluster does to what runs in it. */
const troubles: Record<string, Trouble> = {
  'an instance is killed': (fleet, _knative, random) => {
    fleet.killOne(random);
    return () => undefined;
  },
  'all instances are replaced': (fleet) => {
    fleet.restart();
    return () => undefined;
  },
  'no instance can be reached': (fleet, knative) => {
    knative.functionsAreUp = false;
    fleet.restart();
    return () => void (knative.functionsAreUp = true);
  },
  'the Broker is gone': isGone(({ broker }) => broker),
  'the adapters are gone': isGone(({ adapters }) => adapters),
  'the ticks are gone': isGone(({ pings }) => pings),
  'the adapters are rolled': (_fleet, { adapters }) => {
    adapters.start();
    return () => {
      while (adapters.running > 1) adapters.stop();
    };
  },
  'the adapters list again': (_fleet, { watches }) => {
    watches.silence();
    return () => watches.expire();
  },
  'the store is down': ({ stored }) => {
    stored.isDown = true;
    return () => void (stored.isDown = false);
  },
  'the API server is down': (fleet) => fleet.unreachable('management'),
};

/** One trouble after the other, and some at once, for so many seconds; then all is well again. */
export async function disorder(
  fleet: Fleet,
  knative: Knative,
  { seconds, random }: { seconds: number; random: () => number },
): Promise<void> {
  const mending: (() => void)[] = [];
  const end = fleet.clock.now() + seconds * 1_000;
  while (fleet.clock.now() < end) {
    const [name, trouble] = oneOf(Object.entries(troubles), random);
    fleet.told.say(name);
    const mend = trouble(fleet, knative, random);
    const stop = fleet.clock.after(random() * 30_000, mend);
    mending.push(stop, mend);
    await fleet.seconds(1 + random() * 9);
  }
  fleet.told.say('all is well again');
  for (const mend of mending) mend();
}

function oneOf<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there is none to choose');
  return item;
}
