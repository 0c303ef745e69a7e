import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { at, listOf, textAt } from '../../../infra/local/kubernetes/server/json.ts';
import type { Config } from '../../../shared/runtime/config.ts';
import type { World } from '../world.ts';
import type { MachinePlan } from './model.ts';

/** The hook by which phaseout holds Machines beside Cluster API's own controller, and its value. */
export const ourHook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout';
/** The second one, for functions that are asked before the end of a server. */
export const ourSecondHook = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/phaseout';
export const ourName = 'phaseout.dev';
/** The same beside OpenShift's: an entry of a list. */
export const listedHook = { name: 'phaseout', owner: ourName } as const;

/** By which a person keeps our hook off a Machine that lives. */
export const releasedBy = 'phaseout.dev/released';
/** By which clusterctl marks what it has moved elsewhere: its server lives on. */
export const deletedForMove = 'clusterctl.cluster.x-k8s.io/delete-for-move';

/** By which that controller is told not to drain, or not to wait for volumes. */
export const exclusions = {
  drain: 'machine.cluster.x-k8s.io/exclude-node-draining',
  'volume-detach': 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach',
} as const;

/** Whether the API's own controllers go on beside phaseout, as to this Machine. */
export const isBeside = ({ config }: Pick<World, 'config'>, { api }: Pick<MachinePlan, 'api'>): boolean =>
  config.mode[api] === 'beside';

/** Whether phaseout does nothing but watch. */
export const isOnlyWatching = ({ mode }: Partial<Pick<Config, 'mode'>>): boolean =>
  mode !== undefined && Object.values(mode).every((each) => each === 'observe');

const hasList = ({ apiVersion }: KubeObject): boolean =>
  apiVersion?.startsWith('machine.openshift.io/') === true;

const listed = (machine: unknown, list: 'preDrain' | 'preTerminate'): unknown[] =>
  listOf(at(machine, 'spec', 'lifecycleHooks', list));

const isOurs = (hook: unknown): boolean =>
  textAt(hook, 'name') === listedHook.name && textAt(hook, 'owner') === listedHook.owner;

/** It waits for phaseout before its drain. */
export const hasFirstHook = (machine: KubeObject): boolean =>
  hasList(machine)
    ? listed(machine, 'preDrain').some(isOurs)
    : machine.metadata.annotations?.[ourHook] === ourName;

/** It waits for phaseout before the end of its server. */
export const hasSecondHook = (machine: KubeObject): boolean =>
  hasList(machine)
    ? listed(machine, 'preTerminate').some(isOurs)
    : machine.metadata.annotations?.[ourSecondHook] === ourName;

/** It waits for phaseout. */
export const hasOurHook = (machine: KubeObject): boolean => hasFirstHook(machine) || hasSecondHook(machine);

/** Whether a hook of this name is ours, in either API. */
export const isOurName = (name: string): boolean =>
  name === ourHook || name === ourSecondHook || name === listedHook.name;

/** Whether phaseout is told to take its hook off without waiting for this one. */
export const goesAfterOurs = (
  world: Pick<World, 'config'>,
  plan: Pick<MachinePlan, 'api'>,
  name: string,
): boolean =>
  isBeside(world, plan) &&
  world.config.hooksAfter.some((after) => name === after || name.endsWith(`/${after}`));

/** As a merge patch that somebody else sends: both of our hooks go. */
export function withoutOurHook(machine: KubeObject): object {
  if (!hasList(machine)) return { metadata: { annotations: { [ourHook]: null, [ourSecondHook]: null } } };
  const without = (list: 'preDrain' | 'preTerminate'): unknown[] | null => {
    const left = listed(machine, list).filter((hook) => !isOurs(hook));
    return left.length > 0 ? left : null;
  };
  return {
    spec: { lifecycleHooks: { preDrain: without('preDrain'), preTerminate: without('preTerminate') } },
  };
}

/** Whether a merge patch puts one of our hooks on, or leaves it on. */
export const putsOurHookOn = (body: unknown): boolean =>
  [ourHook, ourSecondHook].some((hook) => textAt(body, 'metadata', 'annotations', hook) !== '') ||
  listed(body, 'preDrain').some(isOurs) ||
  listed(body, 'preTerminate').some(isOurs);
