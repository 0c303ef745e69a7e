import type { Cluster, KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { at, isObject, objectOf, textAt, textsOf } from '../../../../infra/local/kubernetes/server/json.ts';
import { resources } from '../../../stories/stage/fleet.ts';
import { clusters as originalClusters } from '../../../stories/stage/v1alpha1.ts';
import type { World } from '../../world.ts';
import { hasFirstHook, hasOurHook, isBeside } from '../beside.ts';
import type { Blocker, MachinePlan } from '../model.ts';
import { phaseOfPeer } from './peer.ts';

/** A Machine that is being deleted, as it and what is around it are now. */
export interface Case {
  world: World;
  plan: MachinePlan;
  machine: KubeObject;
  /** Its Cluster object; undefined where there is none. */
  cluster: KubeObject | undefined;
  /** Where its Node is. */
  nodes: Cluster;
  /** The API's own controllers carry it on: our hook does not hold it, or does no more. */
  isPeers: boolean;
  /** Where its deletion stands by its own word; undefined where it says nothing that can be read. */
  phase: string | undefined;
  /** How earlier phases were passed. */
  passed: Readonly<Record<string, unknown>>;
}

/** What a Machine cannot get past. */
export type Obstacle = Omit<Blocker, 'machine'>;

export const isGoing = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;

export const clusterResource = (plan: MachinePlan): string =>
  plan.api === 'capi' ? resources.clusters : originalClusters;

export const clusterNameOf = ({ api }: MachinePlan, machine: KubeObject): string =>
  api === 'capi'
    ? textAt(machine, 'spec', 'clusterName')
    : (machine.metadata.labels?.['cluster.k8s.io/cluster-name'] ?? '');

/** Undefined where the Machine is gone, or is not being deleted. */
export function caseOf(world: World, plan: MachinePlan): Case | undefined {
  const { resource, namespace, name, host } = plan;
  const machine = world.management.get(resource, namespace, name);
  if (machine === undefined || !isGoing(machine)) return undefined;
  const clusterName = clusterNameOf(plan, machine);
  const isNamed = plan.api !== 'openshift' && clusterName !== '';
  const cluster = isNamed ? world.management.get(clusterResource(plan), namespace, clusterName) : undefined;
  return {
    world,
    plan,
    machine,
    cluster,
    nodes: world.cluster(host),
    ...standingBeside(world, plan, machine),
  };
}

const beforeOurSecondHook = ['pre-drain', 'drain', 'volume-detach'];

/**
 * Beside the API's own controllers their word counts where our hook does not hold the Machine. Our second hook holds nothing
 * before they come to it.
 */
function standingBeside(
  world: World,
  plan: MachinePlan,
  machine: KubeObject,
): Pick<Case, 'phase' | 'passed' | 'isPeers'> {
  const phase = phaseOfPeer(machine) ?? '';
  const isFree = !hasOurHook(machine) || (!hasFirstHook(machine) && beforeOurSecondHook.includes(phase));
  const isPeers = isBeside(world, plan) && isFree;
  return isPeers ? { isPeers, phase, passed: {} } : { isPeers, ...standingOf(machine) };
}

function standingOf({ metadata }: KubeObject): Pick<Case, 'phase' | 'passed'> {
  const text = metadata.annotations?.['phaseout.dev/checkpoint'];
  try {
    const checkpoint: unknown = JSON.parse(text ?? '');
    if (textAt(checkpoint, 'uid') !== metadata.uid) return { phase: undefined, passed: {} };
    return { phase: textAt(checkpoint, 'phase'), passed: objectOf(at(checkpoint, 'passed')) };
  } catch {
    return { phase: undefined, passed: {} };
  }
}

/** Whether its deletion stands there by its own word. */
export const isAt = (machine: KubeObject, phase: string): boolean => standingOf(machine).phase === phase;

export const ownFinalizers: Record<MachinePlan['api'], string> = {
  capi: 'machine.cluster.x-k8s.io',
  openshift: 'machine.machine.openshift.io',
  v1alpha1: 'machine.cluster.k8s.io',
};
/** Kubernetes takes these off by itself. */
const kubernetesOwn = ['foregroundDeletion', 'orphan'];

export const hasOwnFinalizer = ({ plan, machine }: Case): boolean =>
  (machine.metadata.finalizers ?? []).includes(ownFinalizers[plan.api]);

export const filterLabel = 'cluster.x-k8s.io/watch-filter';

/** Phaseout is there for the Machines of Cluster API with another label. */
export const isGivenAway = ({ world: { config }, plan, machine, isPeers }: Case): boolean =>
  config.watchFilter !== '' &&
  !isPeers &&
  plan.api === 'capi' &&
  machine.metadata.labels?.[filterLabel] !== config.watchFilter;

/** Finalizers of others on a Machine. */
export const othersFinalizers = ({ metadata }: KubeObject, { api }: MachinePlan): string[] =>
  (metadata.finalizers ?? []).filter((name) => name !== ownFinalizers[api] && !kubernetesOwn.includes(name));

export const annotationsOf = ({ metadata }: KubeObject): Readonly<Record<string, string>> =>
  metadata.annotations ?? {};

export const neverStops = (object: KubeObject): boolean =>
  annotationsOf(object)['local.phaseout.dev/never-stops'] === 'true';

/** The object that the Machine refers to; undefined where there is none (any more). */
export function referredBy(
  { world, plan, machine }: Case,
  group: 'infrastructure' | 'bootstrap',
): KubeObject | undefined {
  const reference =
    group === 'infrastructure'
      ? at(machine, 'spec', 'infrastructureRef')
      : at(machine, 'spec', 'bootstrap', 'configRef');
  if (!isObject(reference)) return undefined;
  return world.management.get(resources[group], plan.namespace, textAt(reference, 'name'));
}

/** Of a time limit in seconds or as text; 0 where there is none. */
export function limitOf({ machine }: Case, seconds: string, text: string): number {
  const found =
    at(machine, 'spec', 'deletion', seconds) ?? Number.parseInt(textAt(machine, 'spec', text), 10);
  return typeof found === 'number' && found > 0 ? found : 0;
}

export const finalizersOf = ({ metadata }: KubeObject): string[] => textsOf(metadata.finalizers);

/** Where the API has no place for it. */
export const anything = /(?:)/;

/** A pattern that finds one of these texts. */
export const anyOf = (texts: readonly string[]): RegExp =>
  new RegExp(texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)).join('|'));
