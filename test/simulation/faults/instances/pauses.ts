import type { World } from '../../world.ts';
import { isRead, wordsOf } from '../api/request-fault.ts';
import type { Fault } from '../fault.ts';
import { atMoments } from '../moments.ts';
import { isOfInstance } from './effects.ts';

/** An instance stands still for 1 to 120 s, as one whose Node is frozen, and goes on with what it knew. */
export const pausedInstance: Fault = {
  name: 'paused-instance',
  about: 'An instance stands still for up to two minutes and wakes with old knowledge.',
  strike(setting) {
    const { world, random } = setting;
    atMoments(setting, 3, () => {
      const there = world.instances();
      if (there.length > 0) pause(world, random.oneOf(there).name, random.between(1, 120), 'stands still');
    });
    atReads(world, random.between(0, 20), random.between(1, 3), () => random.between(1, 120));
    return undefined;
  },
};

/** What was read reaches it when it wakes: the world has gone on meanwhile. */
function atReads(world: World, spared: number, times: number, seconds: () => number): void {
  let [toSpare, left] = [spared, times];
  world.meddlers.onRequest((exchange) => {
    if (left === 0 || !isOfInstance(exchange) || !isRead(exchange)) return undefined;
    toSpare -= 1;
    if (toSpare >= 0) return undefined;
    [toSpare, left] = [spared, left - 1];
    pause(world, exchange.instance, seconds(), `stands still after ${wordsOf(exchange)}`);
    return undefined;
  });
}

function pause(world: World, name: string, seconds: number, what: string): void {
  const instance = world.instances().find((other) => other.name === name);
  // One that is asked to end is let alone.
  if (instance === undefined) return;
  world.say('an instance', `${name} ${what}, for ${seconds} s`);
  world.hit('paused-instance', name);
  instance.strand.pause(seconds * 1_000);
}
