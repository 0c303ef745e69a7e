import type { CloudEvent } from '../../../../infra/local/eventing/event.ts';
import type { EventPassage } from '../../platform/event-fate.ts';
import type { World } from '../../world.ts';
import type { Sweep } from '../sweep.ts';

interface Fated {
  way: 'is lost' | 'is late' | 'comes twice';
}

const toBroker: readonly Fated[] = [{ way: 'is lost' }, { way: 'is late' }];
const toFunction: readonly Fated[] = [{ way: 'is lost' }, { way: 'comes twice' }];

/** What is late comes after so many that were sent after it, or, where fewer follow, after so long. */
const overtaking = 3;
const lateMilliseconds = 10_000;

export const events: Sweep = {
  name: 'events',
  about: 'Each event is lost, or comes twice, or after the next three.',
  watch(world, ask) {
    const late = latecomers(world);
    world.meddlers.onEvent((passage) => {
      late.overtaken(passage);
      const how = ask(wordsOf(passage), () => (passage.to === undefined ? toBroker : toFunction));
      if (how === undefined) return undefined;
      world.say('the Broker', `${wordsOf(passage)}: it ${how.way}`);
      world.hit('events');
      if (how.way === 'is late') late.wait(passage.event);
      return how.way === 'comes twice' ? { times: 2 } : 'is lost';
    });
  },
};

function latecomers(world: World) {
  const waiting: { event: CloudEvent; left: number }[] = [];
  const come = (): void => {
    const one = waiting.shift();
    if (one !== undefined) void world.eventing.slipIn(one.event);
  };
  return {
    wait(event: CloudEvent): void {
      waiting.push({ event, left: overtaking + 1 });
      world.scheduler.after(lateMilliseconds, come);
    },
    overtaken({ to }: EventPassage): void {
      const [first] = waiting;
      if (to !== undefined || first === undefined) return;
      first.left -= 1;
      if (first.left === 0) come();
    },
  };
}

/** An id of a source is drawn by chance, that of ours says what it is about. */
const wordsOf = ({ to, event: { attributes } }: EventPassage): string =>
  `${attributes['type']} of ${attributes['subject'] ?? 'everybody'} to ${to ?? 'the Broker'}`;
