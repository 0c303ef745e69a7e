import type { Clock } from '../../shared/clock.ts';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Kubernetes, Resource } from '../../shared/kubernetes/port.ts';
import type { MachineName } from './options.ts';
import { CannotDo } from './usage-error.ts';

/** One Machine and no later one of its name. */
export interface Target extends MachineName {
  uid: string;
}

export const machineResourceOf = (apiVersion: string): Resource =>
  clusterApi.resource(apiVersion.split('/').at(-1) ?? '');

/** All Machines there are. */
export async function machineNames(kubernetes: Kubernetes, resource: Resource): Promise<MachineName[]> {
  const { items } = await kubernetes.list(resource);
  return items.map(({ metadata: { namespace = '', name } }) => ({ namespace, name }));
}

/** What to say instead of a Machine that is not there. */
export async function noSuchMachine(
  kubernetes: Kubernetes,
  resource: Resource,
  { namespace, name }: MachineName,
): Promise<CannotDo> {
  const names = await machineNames(kubernetes, resource);
  const there = names.map((one) => `${one.namespace}/${one.name}`).join(', ') || 'none';
  return new CannotDo(`there is no Machine ${namespace}/${name}; the Machines there are: ${there}`);
}

/** Asks the API to delete the Machines. Throws CannotDo when one does not exist; then none is deleted. */
export async function deleteMachines(
  kubernetes: Kubernetes,
  resource: Resource,
  { names, clock }: { names: readonly MachineName[]; clock: Clock },
): Promise<Target[]> {
  const targets = await Promise.all(
    names.map(async (named): Promise<Target> => {
      const { namespace, name } = named;
      const uid = (await kubernetes.get(resource, { namespace, name }))?.metadata.uid;
      if (uid === undefined) throw await noSuchMachine(kubernetes, resource, named);
      return { namespace, name, uid };
    }),
  );
  await Promise.all(targets.map((target) => untilHeld(kubernetes, resource, target, clock)));
  for (const { namespace, name, uid } of targets) {
    const outcome = await kubernetes.delete(resource, { namespace, name }, uid);
    if (outcome.kind !== 'refused') continue;
    throw new CannotDo(`Machine ${namespace}/${name} cannot be deleted: ${outcome.message}`);
  }
  return targets;
}

const longestHoldMilliseconds = 10_000;
const holdLookMilliseconds = 50;

/**
 * A Machine that was made a moment ago, or loaded without it, gets the finalizer from the functions. Deleted before
 * that it would be gone with its Node, server and Pods still there. One that never gets it is deleted all the same.
 */
async function untilHeld(
  kubernetes: Kubernetes,
  resource: Resource,
  target: Target,
  clock: Clock,
): Promise<void> {
  const until = clock.now() + longestHoldMilliseconds;
  while (clock.now() < until) {
    const metadata = (await kubernetes.get(resource, target))?.metadata;
    if (metadata === undefined || metadata.deletionTimestamp !== undefined) return;
    if (metadata.finalizers?.includes(clusterApi.finalizer) === true) return;
    await new Promise<void>((resolve) => void clock.after(holdLookMilliseconds, resolve));
  }
}

/** The Machines that have been asked to go already. */
export async function deletingMachines(kubernetes: Kubernetes, resource: Resource): Promise<KubeObject[]> {
  const { items } = await kubernetes.list(resource);
  return items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
}

export const targetOf = ({ metadata: { namespace = '', name, uid = '' } }: KubeObject): Target => ({
  namespace,
  name,
  uid,
});
