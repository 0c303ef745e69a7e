import { expect, test } from 'vitest';
import { buildRestingTick, restingTick } from '../platform/resting-tick.ts';
import { aLook } from '../store/open-store.ts';
import { openStage, type Stage, storeOf } from './stage.ts';
import { tickGoesWhileDue } from './tick-goes-while-due.ts';

interface Tick {
  goes: boolean;
  isDue: boolean;
  mayRest?: boolean;
}

/** The tick goes or rests, and a look is due or there is none. */
async function stageWith({ goes, isDue, mayRest = true }: Tick): Promise<Stage> {
  const stage = await openStage(tickGoesWhileDue);
  const { world } = stage;
  if (mayRest) world.config = { ...world.config, duePingSource: restingTick };
  buildRestingTick(world, {}, goes);
  if (isDue) await storeOf(stage).schedule(aLook({ at: world.now() }));
  return stage;
}

const resting = 'it rests, and the look at Machine uid-1 is due';

async function criesAfter(seconds: number, tick: Tick, before?: (stage: Stage) => void): Promise<string[]> {
  const stage = await stageWith(tick);
  before?.(stage);
  await stage.pass(seconds * 1_000);
  stage.tell('dev.phaseout.phase.waiting.v1', 'any', {});
  return stage.cries;
}

const strike = ({ observer }: Stage): void => observer.hit?.('timeout', [], 'instance-1');
const calm = (stage: Stage): void => {
  strike(stage);
  stage.observer.calm?.();
};
const join = ({ world }: Stage): void => {
  world.startInstance();
  world.startInstance();
};
/** Two sweeps of all come in six minutes. */
const longAfter = 360;

test.each<[string, number, Tick, ((stage: Stage) => void)?]>([
  ['at once', 6, { goes: false, isDue: true }],
  [
    'after a sweep of all where another instance may have put it to rest',
    250,
    { goes: false, isDue: true },
    join,
  ],
  ['after a sweep of all where something had gone wrong', longAfter, { goes: false, isDue: true }, calm],
])('a tick does not rest while a look is due: it is to go %s', async (_when, seconds, tick, before) => {
  expect(await criesAfter(seconds, tick, before)).toEqual([resting]);
});

test.each<[string, number, Tick, ((stage: Stage) => void)?]>([
  ['while no look is due', longAfter, { goes: false, isDue: false }],
  ['in the moment in which a look is set', 4, { goes: false, isDue: true }],
  ['until the next sweep of all, where there are two instances', 200, { goes: false, isDue: true }, join],
  ['while something goes wrong', longAfter, { goes: false, isDue: true }, strike],
  ['where nobody is to set it', longAfter, { goes: false, isDue: true, mayRest: false }],
])('a tick may rest %s', async (_when, seconds, tick, before) => {
  expect(await criesAfter(seconds, tick, before)).toEqual([]);
});

test.each<[string, Tick, string[]]>([
  ['goes with nothing to ask for', { goes: true, isDue: false }, ['it goes, and nothing is left to ask for']],
  ['goes with something to ask for', { goes: true, isDue: true }, []],
  ['rests', { goes: false, isDue: false }, []],
  ['goes and never rests', { goes: true, isDue: false, mayRest: false }, []],
])('in the end it %s', async (_what, tick, cries) => {
  const stage = await stageWith(tick);
  stage.observer.quiet?.();
  stage.observer.ended?.();
  expect(stage.cries).toEqual(cries);
});

const unserved = ({ world }: Stage): void => {
  for (const observer of world.observers)
    observer.logged?.('instance-1', 'warn', 'request', { failure: 'timed-out' });
};

const calmAndUnserved = (stage: Stage): void => {
  stage.observer.calm?.();
  unserved(stage);
};

test('a request that is not served is trouble, for three minutes after the last one', async () => {
  expect(await criesAfter(170, { goes: false, isDue: true }, unserved)).toEqual([]);
  expect(await criesAfter(longAfter, { goes: false, isDue: true }, calmAndUnserved)).toEqual([resting]);
});

test('in the end it may go where something went wrong not long before', async () => {
  const stage = await stageWith({ goes: true, isDue: false });
  unserved(stage);
  stage.observer.quiet?.();
  stage.observer.ended?.();
  expect(stage.cries).toEqual([]);
});
