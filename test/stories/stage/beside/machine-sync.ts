import { isDeepStrictEqual } from 'node:util';
import { isTerminating } from '../../../../infra/local/controllers/machinery/objects.ts';
import type { Controller, World } from '../../../../infra/local/controllers/machinery/world.ts';
import {
  clusterApi,
  type Hook,
  type Machine,
  openShift,
} from '../../../../infra/local/controllers/machines/apis.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../../shared/dialects/fields.ts';
import { resources } from '../fleet.ts';

/** Each list of OpenShift, and how the annotations begin that are the same hooks. */
const prefixes = {
  preDrain: 'pre-drain.delete.hook.machine.cluster.x-k8s.io/',
  preTerminate: 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/',
} as const;
const lists = ['preDrain', 'preTerminate'] as const;
/** By this one copy waits for the other. */
export const syncFinalizer = 'sync.machine.openshift.io/finalizer';
const finalizers = {
  clusterApi: 'machine.cluster.x-k8s.io',
  openShift: 'machine.machine.openshift.io',
  server: 'machine.infrastructure.local.phaseout.dev',
};

/** The two copies of a Machine. */
interface Copies {
  mapi: Machine;
  capi: Machine;
}

/**
 * The sync of a Machine's two copies in both APIs of an OpenShift cluster, as much as a story needs. Hooks and
 * annotations go from the copy with authority to the other, under the same names. They go back from where they end. Of
 * a deletion, only the deletion itself goes over. The other copy goes once the one with authority has let go. During a
 * move the sync does nothing.
 */
export const machineSync =
  (namespaces: { mapi: string; capi: string }): Controller =>
  (world) => {
    const ofMapi = world.informer<Machine>(openShift.machines);
    const ofCapi = world.informer<Machine>(clusterApi.machines);
    const queue = world.queue('machine-sync', (name) => {
      const mapi = ofMapi.get(`${namespaces.mapi}/${name}`);
      const capi = ofCapi.get(`${namespaces.capi}/${name}`);
      if (mapi === undefined || capi === undefined) return;
      const authority = textAt(mapi.status, 'authoritativeAPI');
      if (authority === 'MachineAPI') fromMapi(world, { mapi, capi });
      if (authority === 'ClusterAPI') fromCapi(world, { mapi, capi });
    });
    ofMapi.onChange(({ key }) => queue.add(nameIn(key)));
    ofCapi.onChange(({ key }) => queue.add(nameIn(key)));
    world.informer(resources.infrastructure).onChange(({ key }) => queue.add(nameIn(key)));
  };

const nameIn = (key: string): string => key.split('/').at(-1) ?? '';

const has = ({ metadata }: Machine, finalizer: string): boolean =>
  metadata.finalizers?.includes(finalizer) === true;

function fromMapi(world: World, copies: Copies): void {
  const { mapi, capi } = copies;
  if (bothGo(world, copies)) {
    removeServer(world, capi);
    if (has(mapi, finalizers.openShift)) return;
    const server = serverOf(world, capi);
    if (server !== undefined) world.dropFinalizer(resources.infrastructure, server, finalizers.server);
    letGo(world, clusterApi.machines, capi, finalizers.clusterApi);
    return letGo(world, openShift.machines, mapi);
  }
  // What was taken off the one stays on the other: this only ever adds.
  const annotations = {
    ...capi.metadata.annotations,
    ...Object.fromEntries(annotationsOf(mapi).filter(([key]) => !isOfMapi(key))),
    ...Object.fromEntries(
      lists.flatMap((list) =>
        hooksOf(mapi, list).map(({ name, owner }) => [`${prefixes[list]}${name}`, owner]),
      ),
    ),
  };
  if (isDeepStrictEqual(annotations, capi.metadata.annotations)) return;
  world.patch(clusterApi.machines, capi, { metadata: { annotations } });
}

function fromCapi(world: World, copies: Copies): void {
  const { mapi, capi } = copies;
  if (bothGo(world, copies)) {
    if (has(capi, finalizers.clusterApi)) return;
    letGo(world, openShift.machines, mapi, finalizers.openShift);
    return letGo(world, clusterApi.machines, capi);
  }
  const all = annotationsOf(capi);
  const kept = Object.fromEntries([
    ...annotationsOf(mapi).filter(([key]) => isOfMapi(key)),
    ...all.filter(([key]) => !key.includes('cluster.x-k8s.io/')),
  ]);
  const hooksFor = (list: keyof typeof prefixes): Hook[] =>
    all
      .filter(([key]) => key.startsWith(prefixes[list]))
      .map(([key, owner]) => ({ name: key.slice(prefixes[list].length), owner }));
  const hooks = lists.map(hooksFor);
  const before = lists.map((list) => hooksOf(mapi, list));
  if (isDeepStrictEqual([kept, hooks], [mapi.metadata.annotations ?? {}, before])) return;
  const [preDrain, preTerminate] = hooks;
  const gone = Object.keys(mapi.metadata.annotations ?? {}).filter((key) => !(key in kept));
  const annotations = { ...kept, ...Object.fromEntries(gone.map((key) => [key, null])) };
  world.patch(openShift.machines, mapi, {
    metadata: { annotations },
    spec: { lifecycleHooks: { preDrain, preTerminate } },
  });
}

const annotationsOf = ({ metadata }: Machine): [string, string][] =>
  Object.entries(metadata.annotations ?? {});

const isOfMapi = (key: string): boolean => key.startsWith('machine.openshift.io/');

const hooksOf = ({ spec }: Machine, list: keyof typeof prefixes): Hook[] =>
  spec?.lifecycleHooks?.[list] ?? [];

/** Whether they are being deleted: both are as soon as one is. */
function bothGo(world: World, { mapi, capi }: Copies): boolean {
  if (!isTerminating(mapi) && !isTerminating(capi)) return false;
  if (!isTerminating(mapi)) world.remove(openShift.machines, mapi);
  if (!isTerminating(capi)) world.remove(clusterApi.machines, capi);
  return true;
}

const serverOf = (world: World, { metadata: { namespace, name } }: Machine): KubeObject | undefined =>
  world.informer(resources.infrastructure).get(`${namespace}/${name}`);

/** The infrastructure object is asked to go at once; its provider, which is paused, does not hear of it. */
function removeServer(world: World, machine: Machine): void {
  const server = serverOf(world, machine);
  if (server !== undefined && !isTerminating(server)) world.remove(resources.infrastructure, server);
}

/** Of what this keeps a copy by, and of the finalizer that nothing else takes off. */
function letGo(world: World, resource: string, { metadata }: Machine, ...others: string[]): void {
  for (const finalizer of [...others, syncFinalizer]) {
    const copy = world.informer<Machine>(resource).get(`${metadata.namespace}/${metadata.name}`);
    if (copy !== undefined && has(copy, finalizer)) world.dropFinalizer(resource, copy, finalizer);
  }
}
