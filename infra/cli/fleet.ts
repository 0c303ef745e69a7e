import type { Kubernetes } from '../../shared/kubernetes/client.ts';
import { Unread, unreadIn } from '../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { MachineRef } from '../../shared/machine/machine.ts';
import type { MachineApi } from '../host/served-machine-apis.ts';
import { CannotDo, UsageError } from '../terminal/usage-error.ts';
import { apiGroups, apiNameOf } from './api-names.ts';
import { type MachineName, withoutApi } from './machine-name.ts';
import { noSuchMachine } from './no-such-machine.ts';

/** The Machines of a cluster, of all its Machine APIs. */
export interface Fleet {
  kubernetes: Kubernetes;
  machineApis: readonly MachineApi[];
  /** Manifests were given, which may leave Namespaces out. */
  isGiven?: boolean;
}

/** One Machine and no later one of its name. */
export interface Target {
  api: MachineApi;
  namespace: string;
  name: string;
  uid: string;
}

/** A Machine as it was listed. */
export interface Listed {
  target: Target;
  machine: KubeObject;
}

/** `fleet/worker-1`; with the API in front of it, as the user must type it, if the cluster has several. */
export function labelOf({ machineApis }: Pick<Fleet, 'machineApis'>, { api, ...named }: Target): string {
  const label = withoutApi(named);
  return machineApis.length > 1 ? `${apiNameOf(api.dialect.group)}:${label}` : label;
}

/** All Machines there are, one API after the other. */
export async function listMachines({ kubernetes, machineApis }: Fleet): Promise<Listed[]> {
  const lists = await Promise.all(
    machineApis.map(async (api) => {
      const { items } = await kubernetes.list(api.resource);
      return items.map((machine) => ({ machine, target: targetOf(api, machine) }));
    }),
  );
  return lists.flat();
}

const targetOf = (api: MachineApi, { metadata: { namespace = '', name, uid = '' } }: KubeObject): Target => ({
  api,
  namespace,
  name,
  uid,
});

/** The Machine with this reference; undefined if its API is not served. */
export function targetIn({ machineApis }: Fleet, ref: MachineRef): Target | undefined {
  const { apiVersion, namespace, name, uid } = ref;
  const api = machineApis.find(({ dialect }) => apiVersion.startsWith(`${dialect.group}/`));
  return api === undefined ? undefined : { api, namespace, name, uid };
}

/** The label of the Machine with this reference. */
export function labelOfRef(fleet: Fleet, ref: MachineRef): string {
  const target = targetIn(fleet, ref);
  return target === undefined ? withoutApi(ref) : labelOf(fleet, target);
}

/** Throws CannotDo when there is no such Machine, and UsageError when the name is that of several. */
export async function findMachine(fleet: Fleet, named: MachineName): Promise<Target> {
  const { namespace, name } = named;
  const found = await Promise.all(
    candidates(fleet, named).map(async (api) => {
      const machine = await fleet.kubernetes.get(api.resource, { namespace, name }).catch(asUnread);
      if (machine instanceof Unread) return { unread: machine, targets: [] };
      return { targets: machine === undefined ? [] : [targetOf(api, machine)] };
    }),
  );
  const unread = found.find((each) => each.unread !== undefined)?.unread;
  const [first, ...others] = found.flatMap(({ targets }) => targets);
  // One that may not be read may be the one that is meant.
  if (first === undefined && unread !== undefined) throw unread;
  if (first === undefined) {
    throw await noSuchMachine(fleet, named, async () =>
      (await listMachines(fleet)).map(({ target }) => ({ ...target, label: labelOf(fleet, target) })),
    );
  }
  if (others.length === 0) return first;
  throw inSeveralApis(
    named,
    [first, ...others].map((target) => labelOf(fleet, target)),
  );
}

/** `labels`: of the Machines of that name, each with its API. */
export const inSeveralApis = (named: MachineName, labels: readonly string[]): UsageError =>
  new UsageError(
    `Machine ${withoutApi(named)} is in several Machine APIs; say which: ${labels.join(' or ')}`,
  );

/** What the user may not read of one API keeps no Machine of another from being found. */
function asUnread(error: unknown): Unread {
  const unread = unreadIn(error);
  if (unread === undefined) throw error;
  return unread;
}

function candidates({ machineApis }: Fleet, { api }: MachineName): readonly MachineApi[] {
  if (api === undefined) return machineApis;
  const served = machineApis.filter(({ dialect }) => dialect.group === apiGroups[api]);
  if (served.length > 0) return served;
  throw new CannotDo(`there are no ${api} Machines: ${apiGroups[api]} is not installed there`);
}
