import { cloudAnnotations } from '../../../../infra/local/provider/settings.ts';
import type { Mode } from '../../../../shared/dialects/registry.ts';
import type { Config } from '../../../../shared/runtime/config.ts';
import { ownLeaseKey } from '../../platform/hook-watchdog.ts';
import type { Random } from '../../random.ts';
import type { WorldParts } from '../../world-parts.ts';
import { listedHook, ourHook, ourName } from '../beside.ts';
import type { Blueprint, MachineBlueprint, PodBlueprint } from '../blueprint.ts';
import { longMilliseconds } from '../deeds/own-lease.ts';
import type { Plan } from '../planned.ts';
import { aPod } from './draft.ts';
import { isLookedAfter } from './whose.ts';

/**
 * In which worlds Machine APIs' own controllers run beside phaseout. With `observe` they run in all, and phaseout only
 * watches.
 */
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
  if (!Object.values(plan.world.config.mode ?? {}).includes('beside')) return plan;
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
    world.config.mode?.[machine.api] === 'beside' &&
    isLookedAfter(machine, world.config) &&
    random.chance(0.9)
      ? withHook(random.fork(`hook of ${machine.name}`), machine)
      : machine,
  );
  return { ...plan, blueprint: { ...blueprint, machines } };
}

/** Before the hooks of others, after them, or between them. */
function withHook(random: Random, machine: MachineBlueprint): MachineBlueprint {
  const annotations = { ...machine.annotations, [registered]: '1' };
  if (machine.api === 'capi') return { ...machine, annotations: { ...annotations, [ourHook]: ourName } };
  const place = random.between(0, machine.hooks.length);
  const ours = { ...listedHook, point: 'pre-drain' as const, leavesAt: undefined };
  const hooks = [...machine.hooks.slice(0, place), ours, ...machine.hooks.slice(place)];
  return { ...machine, annotations, hooks };
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
  world: Pick<WorldParts, 'peer' | 'otherPeers' | 'deadManMilliseconds'>;
}

/** Without a Machine whose API has a controller of its own there is nothing for one to do. */
export function drawBeside(random: Random, wish: Beside, drawn: Blueprint): Drawn {
  const apis = isDrawn(random, wish) ? peersIn(random.fork('whose controllers'), wish, drawn) : [];
  if (apis.length === 0) return { blueprint: drawn, config: {}, world: {} };
  const blueprint = asTheyKnow(random, drawn, apis);
  const world = peersOf(drawn, apis);
  if (wish === 'observe') {
    const isTelling = random.fork('watched').chance(0.2);
    return {
      blueprint: { ...blueprint, rules: [] },
      config: { mode: modes(apis, 'observe'), observeEvents: isTelling },
      world,
    };
  }
  return {
    blueprint,
    config: {
      mode: modes(apis, 'beside'),
      lease: ownLeaseKey,
      besideControlPlanes: random.fork('control planes').chance(0.3),
      ...(random.fork('excluded').chance(0.2) && { besideExcluded: 'drain' as const }),
      ...(random.fork('hooks after').chance(0.2) && { hooksAfter }),
    },
    world: { ...world, deadManMilliseconds: random.fork('hook watchdog').between(0, 60_000) },
  };
}

/** They are to go after ours, by what follows the slash and by their names in a list. */
const hooksAfter = ['backup', 'backup-pre-drain', 'EtcdQuorumOperator'];

type Api = MachineBlueprint['api'];

/** Those of both APIs go on beside phaseout, or those of one of them; where it only watches, all do. */
function peersIn(random: Random, wish: Beside, { machines }: Blueprint): Api[] {
  const all: readonly Api[] = wish === 'observe' ? ['capi', 'openshift', 'v1alpha1'] : ['capi', 'openshift'];
  const there = all.filter((api) => machines.some((machine) => machine.api === api));
  const [first] = there;
  if (wish === 'observe' || there.length < 2 || first === undefined) return there;
  return random.oneOf([there, there, ...there.map((api) => [api])]);
}

/** Where phaseout only watches it does so for all Machine APIs. */
function modes(apis: readonly Api[], mode: 'beside' | 'observe'): Config['mode'] {
  const of = (api: Api): Mode => (mode === 'observe' || apis.includes(api) ? mode : 'replace');
  return { capi: of('capi'), openshift: of('openshift'), v1alpha1: of('v1alpha1') };
}

function peersOf({ clusters }: Blueprint, apis: readonly Api[]): Drawn['world'] {
  const homes = clusters
    .filter(({ api }) => api === 'capi')
    .map(({ namespace, name, host }) => [`${namespace}/${name}`, host]);
  const otherPeers = apis.filter((api) => api !== 'capi');
  return {
    ...(apis.includes('capi') && { peer: Object.fromEntries(homes) }),
    ...(otherPeers.length > 0 && { otherPeers }),
  };
}

/**
 * The stand-in for Cluster API's own controller knows no drain rules. It takes every object that a Machine refers to
 * for its own. The one for OpenShift's takes a failure at a provider for a mistake.
 */
function asTheyKnow(random: Random, drawn: Blueprint, apis: readonly Api[]): Blueprint {
  const machines = drawn.machines
    .filter(({ api, copyOf }) => copyOf === undefined || !apis.includes(api))
    .map((machine) =>
      apis.includes(machine.api)
        ? withoutFailures(withShortLimit(random.fork(`limit of ${machine.name}`), machine))
        : machine,
    );
  const short = machines.filter(({ timeouts: { drain } }) => isShort(drain)).flatMap(podThatStays);
  const beside = machines.filter(({ api }) => api === 'openshift' && apis.includes(api));
  const left = beside
    .filter(({ host, node }) => drawn.nodes.some((each) => each.host === host && each.name === node))
    .flatMap((machine) => podsThatAreLeft(random.fork(`left by ${machine.name}`), machine));
  const hasRules = (namespace: string): boolean =>
    !machines.some(
      (machine) => machine.api === 'capi' && apis.includes('capi') && machine.namespace === namespace,
    );
  const rules = drawn.rules.filter(({ namespace }) => hasRules(namespace));
  return { ...drawn, machines, pods: [...drawn.pods, ...short, ...left], rules };
}

function withoutFailures(machine: MachineBlueprint): MachineBlueprint {
  if (machine.api === 'capi') return machine;
  const { [cloudAnnotations.providerFails]: _, ...annotations } = machine.annotations;
  return { ...machine, annotations };
}

/** By their labels, which OpenShift's own controller does not know: it is told that the drain is done. */
function podsThatAreLeft(random: Random, { host, node, deletedAt }: MachineBlueprint): PodBlueprint[] {
  if (node === undefined || deletedAt.length === 0 || !random.chance(0.4)) return [];
  const isRunning = random.chance(0.5);
  const labels = { 'cluster.x-k8s.io/drain': isRunning ? 'skip' : 'wait-completed' };
  const kind = isRunning ? 'labelled to stay' : 'waited for and complete';
  const state = isRunning ? 'running' : 'Succeeded';
  return [aPod({ host, node }, { kind, name: `${node}-left`, labels, state })];
}
