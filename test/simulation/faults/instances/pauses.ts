import type { Random } from '../../random.ts';
import type { World } from '../../world.ts';
import { isRead, isWrite, wordsOf } from '../api/request-fault.ts';
import type { Fault } from '../fault.ts';
import { atMoments } from '../moments.ts';
import { isOfInstance } from './effects.ts';

/** An instance stands still for 1 to 120 s, as if its Node were frozen. Then it goes on with what it knew. */
export const pausedInstance: Fault = {
  name: 'paused-instance',
  about: 'An instance stands still for up to two minutes and wakes with old knowledge.',
  strike(setting) {
    const { world, random } = setting;
    atMoments(setting, 3, () => {
      const there = world.instances();
      if (there.length > 0) pause(world, this.name, random.oneOf(there).name, random, 'stands still');
    });
    const isTime = afterSparingSome(random);
    // What was read reaches it when it wakes: the world has gone on meanwhile.
    world.meddlers.onRequest((exchange) => {
      if (isOfInstance(exchange) && isRead(exchange) && isTime())
        pause(world, this.name, exchange.instance, random, `stands still after ${wordsOf(exchange)}`);
      return undefined;
    });
    return undefined;
  },
};

/** What it has asked for is done, and it hears of that when it wakes. */
export const pausedOverAnAnswer: Fault = {
  name: 'paused-instance-over-an-answer',
  about:
    'An instance stands still for up to two minutes over the answer to something that it wrote, or asked of the provider or the table.',
  strike({ world, random }) {
    const { meddlers } = world;
    const [isTimeOverAWrite, isTimeOverACall] = [afterSparingSome(random), afterSparingSome(random)];
    const stands = (name: string, over: string): undefined =>
      pause(world, this.name, name, random, `stands still over the answer to ${over}`);
    meddlers.onRequest((exchange) =>
      isOfInstance(exchange) && isWrite(exchange) && isTimeOverAWrite()
        ? stands(exchange.instance, wordsOf(exchange))
        : undefined,
    );
    meddlers.onProvider(({ instance, operation }) =>
      isTimeOverACall() ? stands(instance, `${operation} of the provider`) : undefined,
    );
    meddlers.onStore(({ instance, name }) =>
      isTimeOverACall() ? stands(instance, `${name} of the table`) : undefined,
    );
    return undefined;
  },
};

/** Whether the pause happens this time. It happens a few times in all, and spares so many occasions before each. */
function afterSparingSome(random: Random): () => boolean {
  const spared = random.between(0, 20);
  let [toSpare, left] = [spared, random.between(1, 3)];
  return () => {
    if (left === 0) return false;
    toSpare -= 1;
    if (toSpare >= 0) return false;
    [toSpare, left] = [spared, left - 1];
    return true;
  };
}

function pause(world: World, fault: string, name: string, random: Random, what: string): undefined {
  const seconds = random.between(1, 120);
  const instance = world.instances().find((other) => other.name === name);
  // One that is asked to end is let alone.
  if (instance === undefined) return undefined;
  world.say('an instance', `${name} ${what}, for ${seconds} s`);
  world.hit(fault, name);
  instance.strand.pause(seconds * 1_000);
  return undefined;
}
