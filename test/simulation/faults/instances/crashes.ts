import type { SimulatedInstance } from '../../platform/instance.ts';
import type { Random } from '../../random.ts';
import type { World } from '../../world.ts';
import { wordsOf } from '../api/request-fault.ts';
import type { Fault } from '../fault.ts';
import { type DeedKind, deedOf } from './effects.ts';

interface Crash {
  name: string;
  about: string;
  kinds: readonly DeedKind[];
  /** Whether what was asked is done all the same. */
  isDone: boolean;
}

/** An instance dies at a chosen request of a chosen kind; several times in some runs. */
const crash = (given: Crash): Fault => ({
  ...given,
  strike({ world, random }) {
    const isChosen = chosen(random, given.kinds);
    world.meddlers.onRequest((exchange) => {
      const kind = deedOf(exchange);
      const instance = named(world, exchange.instance);
      if (kind === undefined || instance === undefined || !isChosen(kind)) return undefined;
      dies(world, given, instance, wordsOf(exchange));
      return given.isDone ? 'pass' : { lost: 'before' };
    });
    world.meddlers.onProvider(({ instance: name, operation }) => {
      const instance = named(world, name);
      if (operation !== 'delete' || instance === undefined || !isChosen('provider')) return undefined;
      dies(world, given, instance, `provider ${operation}`);
      return given.isDone ? 'answers' : 'finds nobody';
    });
    return undefined;
  },
});

/** One that is asked to end is let alone. */
const named = (world: World, name: string): SimulatedInstance | undefined =>
  world.instances().find((instance) => instance.name === name);

function dies(world: World, { name, isDone }: Crash, instance: SimulatedInstance, what: string): void {
  world.say('an instance', `${instance.name} dies ${isDone ? 'after' : 'before'} ${what}`);
  world.hit(name, instance.name);
  world.kill(instance);
}

/** The next one of a chosen kind, after some of them that were spared; up to three times. */
function chosen(random: Random, kinds: readonly DeedKind[]): (kind: DeedKind) => boolean {
  const meant = random.chance(0.4) ? kinds : [random.oneOf(kinds)];
  let left = random.between(1, 3);
  let spared = random.between(0, 6);
  return (kind) => {
    if (left === 0 || !meant.includes(kind)) return false;
    spared -= 1;
    if (spared >= 0) return false;
    left -= 1;
    spared = random.between(0, 6);
    return true;
  };
}

const effects = ['eviction', 'cordon', 'delete', 'provider'] as const;

/** Instances that die in the middle of what they do. */
export const crashes: readonly Fault[] = [
  crash({
    name: 'crash-before-effect',
    about: 'An instance dies right before an effect: an eviction, a cordon, a delete.',
    kinds: effects,
    isDone: false,
  }),
  crash({
    name: 'crash-after-effect',
    about: 'An instance dies after an effect and before it could record or tell of it.',
    kinds: [...effects, 'finalizer'],
    isDone: true,
  }),
  crash({
    name: 'crash-before-record',
    about: 'An instance dies right before it records where a deletion stands.',
    kinds: ['record'],
    isDone: false,
  }),
  crash({
    name: 'crash-after-record',
    about: 'An instance dies after it recorded where a deletion stands, and before it told anybody.',
    kinds: ['record'],
    isDone: true,
  }),
];
