import type { Config } from '../../../../shared/runtime/config.ts';
import type { Random } from '../../random.ts';
import type { WorldParts } from '../../world-parts.ts';
import { ourHook, ourName } from '../beside.ts';
import type { Blueprint, MachineBlueprint } from '../blueprint.ts';
import type { Plan } from '../planned.ts';
import { isLookedAfter } from './whose.ts';

/** In which worlds Cluster API's own controller goes on beside phaseout. */
export type Beside = 'some' | 'all' | 'none';

const share = 0.25;

const isDrawn = (random: Random, wish: Beside): boolean =>
  wish === 'all' || (random.chance(share) && wish === 'some');

/** After a sweep of all, for its writes. */
const sweptMilliseconds = 15_000;

/**
 * Where phaseout has been there for long, most Machines that it is there for have its hook. Elsewhere they get it by a
 * sweep, which comes before they are deleted, or does not.
 */
export function withHooks(random: Random, plan: Plan): Plan {
  const { blueprint, world, calmAt } = plan;
  if (world.peer === undefined) return plan;
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

interface Drawn {
  blueprint: Blueprint;
  config: Partial<Config>;
  world: Pick<WorldParts, 'peer'>;
}

/**
 * The stand-in for that controller knows no drain rules, and takes what a Machine refers to for its own. Without a Machine
 * of Cluster API there is nothing for it to do.
 */
export function drawBeside(random: Random, wish: Beside, drawn: Blueprint): Drawn {
  const hasMachines = drawn.machines.some(({ api }) => api === 'capi');
  if (!isDrawn(random, wish) || !hasMachines) return { blueprint: drawn, config: {}, world: {} };
  const machines = drawn.machines.filter(({ copyOf }) => copyOf === undefined);
  const homes = drawn.clusters
    .filter(({ api }) => api === 'capi')
    .map(({ namespace, name, host }) => [`${namespace}/${name}`, host]);
  return {
    blueprint: { ...drawn, machines, rules: [] },
    config: {
      mode: { capi: 'beside', openshift: 'replace', v1alpha1: 'replace' },
      besideControlPlanes: random.fork('control planes').chance(0.3),
      ...(random.fork('excluded').chance(0.2) && { besideExcluded: 'drain' as const }),
    },
    world: { peer: Object.fromEntries(homes) },
  };
}
