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
      if (kind === undefined || !isChosen(kind)) return undefined;
      if (!dies(world, given, { instance: exchange.instance, what: wordsOf(exchange) })) return undefined;
      return given.isDone ? 'pass' : { lost: 'before' };
    });
    world.meddlers.onProvider(({ instance, operation }) => {
      if (operation !== 'delete' || !isChosen('provider')) return undefined;
      if (!dies(world, given, { instance, what: `provider ${operation}` })) return undefined;
      return given.isDone ? 'answers' : 'finds nobody';
    });
    return undefined;
  },
});

function dies(
  world: World,
  { name, isDone }: Crash,
  { instance, what }: { instance: string; what: string },
): boolean {
  const found = world.instances().find((other) => other.name === instance);
  if (found === undefined) return false;
  world.say('an instance', `${instance} dies ${isDone ? 'after' : 'before'} ${what}`);
  world.hit(name, instance);
  world.kill(found);
  return true;
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
