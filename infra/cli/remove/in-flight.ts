import type { Dialect } from '../../../shared/dialects/dialect.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { checkpointAnnotation } from '../../../shared/machine/checkpoint.ts';
import { type MachineApi, NoMachineApi, servedMachineApis } from '../../host/served-machine-apis.ts';
import { apiGroups, apiNameOf } from '../api-names.ts';
import type { Site } from '../deploy/site.ts';
import { type Fleet, type Listed, labelOf, listMachines } from '../fleet.ts';
import { isLookedAfter, type LookedAfter } from './looked-after.ts';

/** The traces of phaseout on a cluster's Machines. */
export interface Left {
  /** Machines in deletion, by the names that users type. */
  inFlight: string[];
  /** Living ones with the finalizer that only phaseout takes off, by their Machine API. */
  held: { dialect: Dialect; count: number }[];
}

/**
 * Looks at the Machines that phaseout gives up: looked after before, but not afterwards. Throws Unavailable if it
 * cannot list them: there may be some.
 */
export async function lookAtMachines(site: Site, before: LookedAfter, after?: LookedAfter): Promise<Left> {
  const fleet: Fleet = { kubernetes: site.kubernetes, machineApis: await apisOf(site) };
  const all = await listMachines(fleet);
  const machines = after === undefined ? all : all.filter((one) => isGivenUp(one, before, after));
  const living = machines.filter(({ machine }) => machine.metadata.deletionTimestamp === undefined);
  return {
    inFlight: machines.filter((one) => isInFlight(one, before)).map(({ target }) => labelOf(fleet, target)),
    held: fleet.machineApis
      .map(({ dialect }) => ({ dialect, count: living.filter(isHeldBy(dialect)).length }))
      .filter(({ dialect, count }) => dialect.managesServers && !isObserved(dialect, before) && count > 0),
  };
}

async function apisOf({ kubernetes, where }: Site): Promise<MachineApi[]> {
  try {
    return await servedMachineApis(kubernetes, where);
  } catch (error) {
    if (error instanceof NoMachineApi) return [];
    throw error;
  }
}

const isGivenUp = ({ machine, target: { api } }: Listed, before: LookedAfter, after: LookedAfter): boolean =>
  isLookedAfter(machine, api.dialect, before) && !isLookedAfter(machine, api.dialect, after);

/** Phaseout has begun its deletion, or must remove its finalizer. */
function isInFlight({ machine, target: { api } }: Listed, wanted: LookedAfter): boolean {
  const { deletionTimestamp, annotations } = machine.metadata;
  if (deletionTimestamp === undefined) return false;
  if (isObserved(api.dialect, wanted)) return false;
  // Its own controller goes on with it as soon as the hook is off.
  if (wanted.besideApis?.includes(apiNameOf(api.dialect.group)) === true) return false;
  if (annotations?.[checkpointAnnotation] !== undefined) return true;
  return hasFinalizer(machine, api.dialect) && isLookedAfter(machine, api.dialect, wanted);
}

/** What was only watched does not wait for phaseout. */
const isObserved = ({ group }: Dialect, { observed = [] }: LookedAfter): boolean =>
  observed.some((name) => apiGroups[name] === group);

const isHeldBy =
  (dialect: Dialect) =>
  ({ machine, target }: Listed): boolean =>
    target.api.dialect === dialect && hasFinalizer(machine, dialect);

const hasFinalizer = ({ metadata }: KubeObject, { finalizer }: Dialect): boolean =>
  metadata.finalizers?.includes(finalizer) === true;
