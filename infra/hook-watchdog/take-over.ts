import { forEachLimited } from '../../shared/async/parallel.ts';
import { hasHook, leaseOf, listOf, type OurHook } from '../../shared/dialects/beside/hook.ts';
import { shownOwnNode } from '../../shared/dialects/own-node-condition.ts';
import type { Kubernetes } from '../../shared/kubernetes/client.ts';
import { readOr } from '../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { leases } from '../../shared/kubernetes/resources.ts';
import type { InstanceLog } from '../../shared/runtime/log.ts';
import type { Instant } from '../../shared/time/clock.ts';
import { type HookedApi, hookedApis, listHooked } from '../hook/hooked-apis.ts';
import { releaseHook } from '../hook/take-off.ts';
import { judge } from './judge.ts';
import { tellHeld, whyLastStays } from './last-hook.ts';
import type { Settings } from './settings.ts';

/** What the hook watchdog has to do with the world. */
export interface World {
  kubernetes: Pick<Kubernetes, 'get' | 'list' | 'discover' | 'jsonPatch' | 'create'>;
  /** What the clocks say now: that of this computer, and that of the API server as it last answered. */
  nows(): Instant[];
  log: InstanceLog;
}

/** So many hooks go after each look at the Lease. */
const maxAtOnce = 8;

/**
 * Takes the hooks of an installation that is gone off all Machines that are being deleted. Returns how many could not be
 * freed. Throws
 * Unavailable where something could not be read: then nothing is known, and the hooks stay.
 */
export async function takeOver(world: World, settings: Settings): Promise<number> {
  const { kubernetes, log } = world;
  const apis = await hookedApis(kubernetes, settings.installation);
  const lists = await Promise.all(apis.map((api) => heldMachines(world, api, settings.namespaces)));
  const held = lists.flat();
  const kept = await freeAll(world, settings, held);
  log.info('Done', { held: held.length, kept });
  return kept;
}

/** A Machine that our hook holds, and the API that it is of. */
interface Held {
  machine: KubeObject;
  api: HookedApi;
}

async function heldMachines(
  { kubernetes }: World,
  api: HookedApi,
  namespaces: readonly string[],
): Promise<Held[]> {
  const places = namespaces.length === 0 ? [{}] : namespaces.map((namespace) => ({ namespace }));
  const lists = await Promise.all(places.map((place) => listHooked(kubernetes, api, place)));
  return lists
    .flat()
    .filter((one) => one.metadata.deletionTimestamp !== undefined && isHeld(one, api))
    .map((machine) => ({ machine, api }));
}

const isHeld = (machine: KubeObject, { hooks }: HookedApi): boolean =>
  listOf(hooks).some((hook) => hasHook(machine, hook));

/** How many keep the hook although phaseout is gone. */
async function freeAll(world: World, settings: Settings, held: readonly Held[]): Promise<number> {
  let kept = 0;
  for (let from = 0; from < held.length; from += maxAtOnce) {
    // It may have come back while the first hooks went.
    if (!(await isGone(world, settings))) return kept;
    const some = held.slice(from, from + maxAtOnce);
    const areFree = await forEachLimited(some, (one) => free(world, one));
    kept += areFree.filter((isFree) => !isFree).length;
  }
  return kept;
}

async function isGone(world: World, settings: Settings): Promise<boolean> {
  const { kubernetes, log } = world;
  const key = { namespace: settings.leaseNamespace, name: leaseOf(settings.installation) };
  const lease = await kubernetes.get(leases, key);
  const verdict = judge(lease, world.nows());
  const about = { lease: `${key.namespace}/${key.name}`, why: verdict.why };
  if (verdict.isGone) log.warn('Phaseout is gone: its hook comes off', about);
  else log.info('Phaseout lives, and keeps its hook', about);
  return verdict.isGone;
}

/** The hook before the end of the server stays where a DeletionHook says so, which is no failure. */
async function free(world: World, held: Held): Promise<boolean> {
  const { kubernetes, log } = world;
  const { machine: seen, api } = held;
  const { PreDrain, PreTerminate } = api.hooks;
  const why = await whyLastStays(kubernetes, seen, api);
  if (why === undefined) return takeOff(world, held, [PreDrain, PreTerminate]);
  const { namespace = '', name } = seen.metadata;
  log.warn('Machine keeps the hook before the end of its server', { machine: `${namespace}/${name}`, why });
  await tellHeld(kubernetes, seen, { hook: PreTerminate, why, now: Math.max(...world.nows()) });
  return hasHook(seen, PreDrain) ? takeOff(world, held, [PreDrain]) : true;
}

async function takeOff(
  { log, kubernetes }: World,
  { machine: seen, api }: Held,
  hooks: readonly OurHook[],
): Promise<boolean> {
  const notOwn = await whyNotOwn({ kubernetes }, seen, api);
  const outcome = await releaseHook({ kubernetes, resource: api.resource, hooks }, seen);
  const { namespace = '', name } = seen.metadata;
  const machine = `${namespace}/${name}`;
  if (outcome.kind === 'failed') log.error('Machine keeps the hook', { machine, why: outcome.why });
  else if (outcome.kind === 'elsewhere')
    log.info('Machine waits for another one', { machine, why: outcome.why });
  else if (notOwn === undefined)
    log.info('Machine no longer waits for phaseout', { machine, outcome: outcome.kind });
  else
    log.warn('Hook is off a Machine whose own controller deletes a Node of others', {
      machine,
      outcome: outcome.kind,
      why: notOwn,
    });
  return outcome.kind !== 'failed';
}

/** What phaseout has said on the Machine of a Node that is not proven to be its own. Lists of hooks hold less than that. */
async function whyNotOwn(
  { kubernetes }: Pick<World, 'kubernetes'>,
  { metadata: { namespace = '', name } }: KubeObject,
  { resource }: HookedApi,
): Promise<string | undefined> {
  const machine = await readOr(undefined, () => kubernetes.get(resource, { namespace, name }));
  return machine === undefined ? undefined : shownOwnNode(machine)?.message;
}
