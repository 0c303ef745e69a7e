import { expect, test } from 'vitest';
import { phaseFunctions } from '../../../infra/host/phases.ts';
import { Cache } from '../../../shared/cache/cache.ts';
import { readOr, Unavailable } from '../../../shared/kubernetes/errors.ts';
import { checkpointAnnotation, parseCheckpoint } from '../../../shared/machine/checkpoint.ts';
import { isBefore, type Phase } from '../../../shared/machine/phase.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import type { Environment } from '../../../shared/runtime/environment.ts';
import { clockOf } from '../../builders/clock.ts';
import { aCommand, machinePath, type World } from '../../builders/world.ts';
import { createRandom, type Random } from '../../simulation/random.ts';
import { drawStanding } from './drawn-states.ts';

const ofWorkload = ['get nodes/node-1', 'list nodes', 'list pods', 'list volumeattachments'];
const ofManagement = ['get servers/default/m-1', 'delete servers/default/m-1'];

/** One that has a clock of its own, and cannot reach everything. */
interface Instance {
  env: Environment;
  unreachable: readonly string[];
}

function drawInstances(world: World, random: Random): Instance[] {
  const isRefused = random.chance(0.4);
  return [1, 2].map(() => {
    // Clocks may differ by half a minute.
    const ahead = random.oneOf([0, 0, 2, 14, -14]) * 1_000;
    const clock = clockOf(
      () => world.time.now + ahead,
      () => world.time.now,
    );
    const unreachable = random.chance(0.6) ? [] : random.some(ofWorkload, 0.5);
    const refused = isRefused ? ['delete servers/default/m-1'] : random.some(ofManagement, 0.05);
    const env = { ...world.another(), clock, cache: new Cache(clock) };
    return { env, unreachable: [...unreachable, ...refused] };
  });
}

/** Who is at it decides what fails. */
function failFor(world: World, current: () => Instance): void {
  for (const [cluster, calls] of [
    [world.workload, ofWorkload],
    [world.management, ofManagement],
  ] as const)
    for (const call of calls)
      cluster.on(
        call,
        () => {
          if (current().unreachable.includes(call)) throw new Unavailable('no answer');
        },
        Infinity,
      );
}

interface Stand {
  phase: Phase;
  seq: number;
}

/** Undefined once the server is gone: nothing is gone back for then. */
function standOf({ management }: World): Stand | undefined {
  const machine = management.at(machinePath);
  if (machine === undefined) return undefined;
  const { annotations = {}, uid = '' } = machine.metadata;
  const reading = parseCheckpoint(annotations[checkpointAnnotation], uid);
  if (reading.kind !== 'valid') throw new Error('there is no checkpoint');
  return isBefore(reading.checkpoint.phase, 'bootstrap') ? reading.checkpoint : undefined;
}

/** Whether a step of this instance sends the deletion back. */
async function goesBack({ env }: Instance, { phase, seq }: Stand): Promise<boolean> {
  const { next } = await reconcilePhase(env, phaseFunctions[phase], aCommand({ phase, seq }));
  return next !== undefined && isBefore(next.phase, phase);
}

function uncordon({ workload }: World): void {
  if (workload.at('nodes/node-1') !== undefined)
    workload.change('nodes/node-1', { spec: { unschedulable: false } });
}

/** How often the deletion goes back within a second, in which one or the other is asked fifty times. */
async function stepsBack(seed: number): Promise<number> {
  const random = createRandom(seed);
  const world = drawStanding(random.fork('standing'));
  const instances = drawInstances(world, random.fork('instances'));
  let current = random.oneOf(instances);
  failFor(world, () => current);
  const isUncordoned = random.chance(0.1);
  let count = 0;
  for (let step = 0; step < 50; step += 1) {
    world.time.now += 20;
    current = random.oneOf(instances);
    const stand = standOf(world);
    if (stand === undefined) break;
    if (isUncordoned) uncordon(world);
    if (await readOr(false, () => goesBack(current, stand))) count += 1;
  }
  return count;
}

const seeds = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index);

test.each(seeds(0, 10).map((part) => part * 50))(
  'two instances do not hand a Machine to and fro, whatever each of them sees and takes for the time: from seed %i',
  async (first) => {
    const restless = [];
    for (const seed of seeds(first, 50)) if ((await stepsBack(seed)) > 2) restless.push(seed);
    expect(restless).toEqual([]);
  },
);
