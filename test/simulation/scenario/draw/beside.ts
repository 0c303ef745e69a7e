import type { Config } from '../../../../shared/runtime/config.ts';
import { ownLeaseKey } from '../../platform/dead-man.ts';
import type { Random } from '../../random.ts';
import type { WorldParts } from '../../world-parts.ts';
import { ourHook, ourName } from '../beside.ts';
import type { Blueprint, MachineBlueprint, PodBlueprint } from '../blueprint.ts';
import { longMilliseconds } from '../deeds/own-lease.ts';
import type { Plan } from '../planned.ts';
import { aPod } from './draft.ts';
import { isLookedAfter } from './whose.ts';

/** In which worlds Cluster API's own controller goes on beside phaseout; in `observe` it does in all, and is only watched. */
export type Beside = 'some' | 'all' | 'none' | 'observe';

const share = 0.25;

const isDrawn = (random: Random, wish: Beside): boolean =>
  wish === 'all' || wish === 'observe' || (random.chance(share) && wish === 'some');

/** For what comes after a drain, which would be calm otherwise. */
const drainMilliseconds = 20_000;

/** After a sweep of all, for its writes. */
const sweptMilliseconds = 15_000;

/**
 * Where phaseout has been there for long, most Machines that it is there for have its hook. Elsewhere they get it by a
 * sweep, which comes before they are deleted, or does not.
 */
export function withHooks(random: Random, plan: Plan): Plan {
  if (plan.world.peer === undefined || plan.world.config.mode?.capi === 'observe') return plan;
  const calmAt = plan.calmAt + (random.fork('how long').chance(0.5) ? drainMilliseconds : 0);
  return mayBeGone(random.fork('gone'), registeredIn(random, { ...plan, calmAt }));
}

/** Seldom: it takes long. */
function mayBeGone(random: Random, plan: Plan): Plan {
  if (!random.chance(0.06)) return plan;
  const goneAt = random.between(1, plan.calmAt);
  return { ...plan, goneAt, calmAt: goneAt + longMilliseconds + random.between(1_000, 20_000) };
}

function registeredIn(random: Random, plan: Plan): Plan {
  const { blueprint, world, calmAt } = plan;
  const begins = random.oneOf(beginnings);
  if (begins === 'then') return plan;
  if (begins === 'before') {
    const laterBy = (world.allMinutes ?? 1) * 60_000 + sweptMilliseconds;
    const machines = blueprint.machines.map((machine) => later(machine, laterBy));
    return { ...plan, blueprint: { ...blueprint, machines }, calmAt: calmAt + laterBy };
  }
  const machines = blueprint.machines.map((machine) =>
    machine.api === 'capi' && isLookedAfter(machine, world.config) && random.chance(0.9)
      ? { ...machine, annotations: { ...machine.annotations, [ourHook]: ourName, [registered]: '1' } }
      : machine,
  );
  return { ...plan, blueprint: { ...blueprint, machines } };
}

const beginnings = [
  'long before',
  'long before',
  'long before',
  'long before',
  'before',
  'before',
  'then',
] as const;
const registered = 'phaseout.dev/registered';

function later(machine: MachineBlueprint, by: number): MachineBlueprint {
  const { deletedAt, hooks, oddVolume } = machine;
  return {
    ...machine,
    deletedAt: deletedAt.map((at) => at + by),
    hooks: hooks.map((hook) =>
      hook.leavesAt === undefined ? hook : { ...hook, leavesAt: hook.leavesAt + by },
    ),
    ...(oddVolume !== undefined && {
      oddVolume: {
        ...oddVolume,
        comesOffAt: oddVolume.comesOffAt + by,
        podAt: oddVolume.podAt === undefined ? undefined : oddVolume.podAt + by,
      },
    }),
  };
}

const shortSeconds = [3, 5] as const;
const isShort = (seconds: number | undefined): boolean => shortSeconds.some((short) => short === seconds);

/** Drains that are given up: what follows from that is told to that controller. */
const withShortLimit = (random: Random, machine: MachineBlueprint): MachineBlueprint =>
  machine.api === 'capi' && machine.deletedAt.length > 0 && random.chance(0.2)
    ? { ...machine, timeouts: { ...machine.timeouts, drain: random.oneOf(shortSeconds) } }
    : machine;

/** It keeps a short drain from its end. */
const podThatStays = ({ host, node }: MachineBlueprint): PodBlueprint[] =>
  node === undefined
    ? []
    : [
        aPod(
          { host, node },
          {
            kind: 'never stops',
            name: `${node}-lasts`,
            annotations: { 'local.phaseout.dev/never-stops': 'true' },
          },
        ),
      ];

interface Drawn {
  blueprint: Blueprint;
  config: Partial<Config>;
  world: Pick<WorldParts, 'peer' | 'deadManMilliseconds'>;
}

/**
 * The stand-in for that controller knows no drain rules, and takes what a Machine refers to for its own. Without a Machine
 * of Cluster API there is nothing for it to do.
 */
export function drawBeside(random: Random, wish: Beside, drawn: Blueprint): Drawn {
  const hasMachines = drawn.machines.some(({ api }) => api === 'capi');
  if (!isDrawn(random, wish) || !hasMachines) return { blueprint: drawn, config: {}, world: {} };
  const machines = drawn.machines
    .filter(({ copyOf }) => copyOf === undefined)
    .map((machine) => withShortLimit(random.fork(`limit of ${machine.name}`), machine));
  const pods = machines.filter(({ timeouts: { drain } }) => isShort(drain)).flatMap(podThatStays);
  const homes = drawn.clusters
    .filter(({ api }) => api === 'capi')
    .map(({ namespace, name, host }) => [`${namespace}/${name}`, host]);
  const peer = Object.fromEntries(homes);
  const blueprint = { ...drawn, machines, pods: [...drawn.pods, ...pods], rules: [] };
  if (wish === 'observe') return watchedOnly(random.fork('watched'), blueprint, peer);
  return {
    blueprint,
    config: {
      mode: { capi: 'beside', openshift: 'replace', v1alpha1: 'replace' },
      lease: ownLeaseKey,
      besideControlPlanes: random.fork('control planes').chance(0.3),
      ...(random.fork('excluded').chance(0.2) && { besideExcluded: 'drain' as const }),
    },
    world: {
      peer,
      deadManMilliseconds: random.fork('dead man').between(0, 60_000),
    },
  };
}

/** No stand-in carries the deletions of the other Machine APIs on. */
const watchedOnly = (
  random: Random,
  blueprint: Blueprint,
  peer: NonNullable<Drawn['world']['peer']>,
): Drawn => ({
  blueprint: { ...blueprint, machines: blueprint.machines.filter(({ api }) => api === 'capi') },
  config: {
    mode: { capi: 'observe', openshift: 'observe', v1alpha1: 'observe' },
    observeEvents: random.chance(0.2),
  },
  world: { peer },
});
