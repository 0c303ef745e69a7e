import { textAt } from '../../shared/dialects/fields.ts';
import { type Course, courseOf } from './course.ts';
import type { Fault } from './faults/fault.ts';
import { faults as allFaults } from './faults/index.ts';
import { invariants as allInvariants, whileWatching } from './invariants/index.ts';
import type { Invariant } from './invariants/invariant.ts';
import type { Observer } from './observer.ts';
import { usualTicks } from './platform/declared.ts';
import { createRandom, type Random } from './random.ts';
import { isOnlyWatching } from './scenario/beside.ts';
import type { Beside } from './scenario/draw/beside.ts';
import type { Scenario } from './scenario/model.ts';
import { planScenario } from './scenario/plan.ts';
import { World } from './world.ts';

export interface SimulationOptions {
  /** The faults that may strike; all of them if it is not given. */
  faults?: readonly Fault[];
  /** Each of them strikes; by chance some do and others do not unless it is given. */
  always?: boolean;
  invariants?: readonly Invariant[];
  scenario?: (random: Random, beside?: Beside) => Scenario;
  /** In which worlds the APIs' own controllers take part; in some of them if it is not given. */
  beside?: Beside;
  /** Who watches beside the invariants. */
  observers?: readonly ((world: World, scenario: Scenario) => Observer)[];
}

export interface Outcome {
  seed: number;
  /** What must never happen and has; empty where all is well. */
  violations: readonly string[];
  /** Events of the scheduler. */
  steps: number;
  /** How long it was by its own clock, in seconds. */
  seconds: number;
}

/** From setting the scene to phaseout's beginning, for Pods to start. */
const sceneMilliseconds = 3_000;
/** A sweep of all finds a Machine that no event has announced. Then instances look at it a few times. */
const lookedAtMilliseconds = 60_000;
/**
 * The time after the last Machine is gone. Replies and facts arrive in it, also from an instance that waits for a
 * silent provider. Every sweep gets one look.
 */
const quietMilliseconds = 35_000;

/** After the last server was made: for the provider's report once it runs. */
const toldMilliseconds = 90_000;

/** Where phaseout only watches it looks as seldom as this, and may find only then that a Machine is gone. */
const longestLookMilliseconds = 300_000;

/** Plays the scenario of a seed with the faults of that seed, to its end or to the first violation. */
export async function simulate(seed: number, options: SimulationOptions = {}): Promise<Outcome> {
  const random = createRandom(seed);
  const scenario = (options.scenario ?? planScenario)(random.fork('scenario'), options.beside);
  const world = new World({ ...scenario.world, random: random.fork('world') });
  try {
    await play(world, scenario, random, options);
  } catch (error) {
    world.mistaken(error);
  } finally {
    world.end();
  }
  const seconds = (world.now() - world.began) / 1_000;
  return { seed, violations: world.violations, steps: world.scheduler.steps, seconds };
}

async function play(
  world: World,
  scenario: Scenario,
  random: Random,
  options: SimulationOptions,
): Promise<void> {
  const course = courseOf(world, scenario);
  scenario.build(world);
  await course.pass(sceneMilliseconds);
  const usual = options.beside === 'observe' ? whileWatching : allInvariants;
  const { invariants = usual, observers = [] } = options;
  for (const invariant of invariants)
    world.observers.push(invariant.watch(world, scenario, (what) => world.violate(invariant.name, what)));
  for (const observer of observers) world.observers.push(observer(world, scenario));
  world.begin();
  for (const part of [troubledTime, calmTime, quietTime]) {
    if (!course.isOver()) await part(course, random, options);
  }
}

/** People do what they do, and faults strike. */
async function troubledTime(
  { world, scenario, pass, isOver }: Course,
  random: Random,
  { faults = allFaults, always = false }: SimulationOptions,
): Promise<void> {
  for (const deed of scenario.deeds) world.scheduler.after(deed.at, () => deed.run(world));
  const chance = random.fork('faults');
  const lasts = scenario.calmAt;
  const mend = chosen(faults, chance, always)
    .map((fault) => fault.strike({ world, scenario, random: chance.fork(fault.name), lasts }))
    .filter((repair) => repair !== undefined);
  await pass(lasts);
  if (isOver()) return;
  for (const repair of mend) repair();
  world.calm();
}

/** What nothing holds comes to its end, and the rest does so once everybody has given in. */
async function calmTime({ world, scenario, pass, passUntil, isOver }: Course): Promise<void> {
  const deleting = (): number => deletingMachines(world, scenario).length;
  const areAllHeld = (): boolean => deleting() === scenario.blockers(world).length;
  await passUntil(areAllHeld);
  if (isOver() || deleting() === 0) return;
  await pass(sweepMilliseconds(scenario) + lookedAtMilliseconds);
  // What held one of them may have gone meanwhile, as a budget that its controller had not seen yet.
  await passUntil(areAllHeld);
  if (isOver() || deleting() === 0) return;
  world.standStill();
  scenario.giveIn(world);
  await passUntil(() => deleting() === 0);
}

/** From one sweep of all to the next. */
const sweepMilliseconds = ({ world: { allMinutes = usualTicks.allMinutes } }: Scenario): number =>
  60_000 * allMinutes;

/**
 * A paused instance first goes on with what it was doing. Also a sweep of all comes. It puts in order what was written
 * after the tick had gone to rest.
 */
async function quietTime({ world, scenario, pass, passUntil, isOver }: Course): Promise<void> {
  await passUntil(() => world.isEverybodyAwake());
  if (areServersMade(world, scenario)) await pass(quietMilliseconds);
  else {
    await passUntil(() => areServersMade(world, scenario));
    await pass(toldMilliseconds);
  }
  if (isOver()) return;
  if (isOnlyWatching(world.config)) await pass(longestLookMilliseconds);
  world.quiet();
  await pass(sweepMilliseconds(scenario) + quietMilliseconds);
}

/** Each fault strikes in some seeds only, and few at a time. A world with all faults at once shows nothing. */
function chosen(faults: readonly Fault[], random: Random, always: boolean): readonly Fault[] {
  if (always) return faults;
  const share = random.oneOf([0, 0.05, 0.1, 0.2, 0.4]);
  if (share === 0) return [];
  return faults.filter(({ name, often = 0 }) =>
    random.fork(`whether ${name}`).chance(Math.max(share, often)),
  );
}

/** Servers of Machines that live, which some APIs leave to us; who has no Cluster any more gets none. */
const areServersMade = (world: World, { machines }: Scenario): boolean =>
  machines
    .filter(({ api }) => api === 'v1alpha1' && world.config.mode[api] === 'replace')
    .map(({ resource, namespace, name }) => world.management.get(resource, namespace, name))
    .every(
      (machine) =>
        machine === undefined ||
        (isServerTold(machine) &&
          world.cloud
            .servers()
            .some((each) => each.machine.uid === machine.metadata.uid && each.state === 'running')),
    );

/**
 * These fields are the last that a Machine with a server gets, also one that was made again. A provider that asks for
 * time may delay them by minutes.
 */
const isServerTold = (machine: object): boolean =>
  textAt(machine, 'spec', 'providerID') !== undefined &&
  textAt(machine, 'status', 'providerStatus', 'instanceState') === 'running';

const deletingMachines = (world: World, { machines }: Scenario) =>
  machines.filter(({ resource, namespace, name }) => {
    const machine = world.management.get(resource, namespace, name);
    return machine?.metadata.deletionTimestamp !== undefined;
  });
