import { management } from '../platform/clusters.ts';
import { ownLeaseKey } from '../platform/hook-watchdog.ts';
import { buildProviderToken } from '../platform/provider-token.ts';
import { buildRestingTick } from '../platform/resting-tick.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { isOnlyWatching } from './beside.ts';
import { blockersOf } from './blockers/blockers.ts';
import type { Blueprint, MachineBlueprint } from './blueprint.ts';
import { build } from './build/build.ts';
import { buildDeletionHooks } from './build/deletion-hooks.ts';
import { buildOwnLease } from './build/own-lease.ts';
import { heldOff } from './deeds/held-off.ts';
import { takeHookOff } from './deeds/hooks.ts';
import { neededAgain } from './deeds/needed-again.ts';
import { goneForLong } from './deeds/own-lease.ts';
import { made, stirred } from './deeds/servers.ts';
import { oddVolume } from './deeds/volumes.ts';
import { keptNode, keptServer } from './deeds/webhooks.ts';
import { type Beside, drawBeside, withHooks } from './draw/beside.ts';
import { drawConfig, drawOwnNode } from './draw/config.ts';
import type { Setting } from './draw/draft.ts';
import { drawBlueprint } from './draw/draw.ts';
import { withFunctions } from './draw/functions.ts';
import { drawSize } from './draw/sites.ts';
import { drawWhose, isLookedAfter } from './draw/whose.ts';
import { giveIn } from './give-in.ts';
import type { Blocker, Deed, MachinePlan, Scenario } from './model.ts';
import type { Plan } from './planned.ts';

/** A world and what happens in it, all of it by chance: the same numbers make the same one. */
export const planScenario = (random: Random, beside?: Beside): Scenario =>
  scenarioOf(drawPlan(random, beside));

/** What is planned, with what blocks it by the world's own rules. */
export function scenarioOf({
  blueprint,
  world: parts,
  calmAt,
  goneAt,
  doesTickGoFirst = true,
}: Plan): Scenario {
  const machines = blueprint.machines.filter((each) => isLookedAfter(each, parts.config));
  const isWatched = isOnlyWatching(parts.config);
  return {
    world: parts,
    machines,
    others: blueprint.machines.filter((each) => !machines.includes(each)),
    build(world) {
      build(world, blueprint, parts.version ?? 'v1beta2');
      if (parts.config.duePingSource !== undefined) buildRestingTick(world, parts, doesTickGoFirst);
      if (parts.config.actuatorSecret !== undefined) buildProviderToken(world);
      if (parts.config.lease === ownLeaseKey) buildOwnLease(world);
      buildDeletionHooks(world);
    },
    deeds: [...blueprint.machines.flatMap(deedsOf), ...(goneAt === undefined ? [] : [goneForLong(goneAt)])],
    calmAt,
    // What holds is the business of its own controller: any of them may be held.
    blockers: (world) => (isWatched ? anyHeld(world, machines) : blockersOf(world, machines)),
    giveIn: (world) => giveIn(world, machines),
  };
}

const anyHeld = (world: World, machines: readonly MachinePlan[]): Blocker[] =>
  machines
    .filter(
      ({ resource, namespace, name }) =>
        world.management.get(resource, namespace, name)?.metadata.deletionTimestamp !== undefined,
    )
    .map((machine) => ({ machine, kind: 'watched', what: 'its own controller deletes it', says: /$/ }));

export function drawPlan(random: Random, wish: Beside = 'some'): Plan {
  const size = drawSize(random);
  const version = random.chance(0.2) ? 'v1beta1' : undefined;
  const latest = random.oneOf([6_000, 12_000, 25_000]);
  const latencyMilliseconds = random.oneOf([2, 5, 20, 20, 100, 400]);
  const setting: Setting = {
    version,
    latest,
    latencyMilliseconds,
    ...firstOf(random.fork('whose controllers'), wish),
  };
  const drawn = drawBlueprint(random.fork('blueprint'), size, setting);
  const chance = random.fork('beside');
  const beside = drawBeside(chance, wish, drawn);
  const { blueprint, config: whose } = drawWhose(random.fork('whose'), beside.blueprint);
  const instances = random.oneOf([1, 1, 1, 2, 2, 3]);
  const plan: Plan = {
    blueprint,
    world: {
      workloads: hostsOf(blueprint).filter((host) => host !== management),
      ...(version !== undefined && { version }),
      ...(version === undefined &&
        random.fork('versions served').chance(0.5) && { version: 'v1beta2' as const }),
      ...(version === undefined && random.fork('hooks told').chance(0.5) && { tellsOfHooks: true }),
      ...beside.world,
      instances,
      ...(random.fork('services').chance(0.3) && { services: instances }),
      config: {
        ...drawConfig(random.fork('config')),
        ...drawOwnNode(random.fork('own Node'), blueprint),
        ...whose,
        ...beside.config,
      },
      dueSeconds: random.oneOf([5, 5, 10, 20, 30]),
      allMinutes: random.oneOf([1, 1, 1, 1, 3]),
      latencyMilliseconds,
      ...pagesOf(random.fork('pages')),
    },
    calmAt: latest + random.oneOf([10_000, 20_000, 45_000, 120_000]),
    doesTickGoFirst: random.fork('tick').chance(0.3),
  };
  return withFunctions(random.fork('deletion hooks'), withHooks(chance.fork('hooks'), plan));
}

/** Where their own controllers have to take part, there are Machines of an API that has some. */
function firstOf(random: Random, wish: Beside): Pick<Setting, 'first'> {
  if (wish === 'all') return { first: random.oneOf(['capi', 'capi', 'openshift']) };
  return wish === 'observe' ? { first: random.oneOf(['capi', 'capi', 'openshift', 'v1alpha1']) } : {};
}

/** An API server may give fewer objects at a time than it is asked for. */
const pagesOf = (random: Random): { pageSize?: number } =>
  random.chance(0.2) ? { pageSize: random.oneOf([1, 2, 3]) } : {};

const hostsOf = ({ clusters, nodes }: Blueprint): string[] =>
  [...new Set([...clusters, ...nodes].map(({ host }) => host))].toSorted();

/** When users make and delete it, owners take their hooks off, and drivers its volume. */
const deedsOf = (machine: MachineBlueprint): Deed[] => [
  ...made(machine),
  ...stirred(machine),
  ...deletions(machine),
  ...hooksTakenOff(machine),
  ...oddVolume(machine),
  ...keptNode(machine),
  ...keptServer(machine),
  ...neededAgain(machine),
  ...heldOff(machine),
];

const deletions = ({ resource, namespace, name, deletedAt }: MachineBlueprint): Deed[] =>
  deletedAt.map((at) => ({
    at,
    run(world) {
      if (world.management.get(resource, namespace, name) === undefined) return;
      world.say('a user', `deletes the Machine ${namespace}/${name}`);
      world.management.remove(resource, { metadata: { namespace, name } });
    },
  }));

const hooksTakenOff = (machine: MachineBlueprint): Deed[] =>
  machine.hooks.flatMap(({ leavesAt, ...hook }) =>
    leavesAt === undefined ? [] : [{ at: leavesAt, run: (world) => takeHookOff(world, machine, hook) }],
  );
