import { besideClusterApi } from '../dialects/beside/cluster-api.ts';
import {
  drainingCondition,
  hookOf,
  isHookOfOurs,
  listedHookOf,
  preDrainHooksOn,
} from '../dialects/beside/hook.ts';
import { besideOpenShift } from '../dialects/beside/openshift.ts';
import { clusterApi } from '../dialects/capi/index.ts';
import { conditionsFrom, find } from '../dialects/conditions.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { recordAt } from '../dialects/fields.ts';
import { openShift } from '../dialects/openshift/index.ts';
import { dialects as all } from '../dialects/registry.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { checkpointAnnotation, parseCheckpoint } from '../machine/checkpoint.ts';

/**
 * A Machine's API and how phaseout works with it, as the Machine itself shows. The reader need not know the installation.
 * Undefined where the API is none that is known. `configured`: what the user says of it.
 */
export function shownDialect(machine: KubeObject, configured: readonly Dialect[] = all): Dialect | undefined {
  const { apiVersion = '' } = machine;
  const known = [...configured, ...all].find((dialect) => isOf(dialect, apiVersion));
  const shown = known?.isObserved === true ? undefined : known && shownBy[known.group];
  if (known === undefined || shown === undefined) return known;
  const hook = preDrainHooksOn(machine).find(({ name, owner }) => isHookOfOurs(name, owner))?.name;
  if (hook === undefined && !isMarkedBeside(machine)) return getsHook(known, machine) ? known : shown.alone;
  const isConfigured = known.beside !== undefined && (hook === undefined || known.beside.hook.name === hook);
  return isConfigured ? known : shown.beside(hook);
}

/** By the group of the Machine API: phaseout in place of its controllers, and beside them. */
const shownBy: Readonly<Record<string, { alone: Dialect; beside: (hook?: string) => Dialect }>> = {
  [clusterApi.group]: {
    alone: clusterApi,
    beside: (hook = hookOf('')) =>
      besideClusterApi(clusterApi, installationOf(hook.slice(hookOf('').length + 1))),
  },
  [openShift.group]: {
    alone: openShift,
    beside: (hook = listedHookOf('')) =>
      besideOpenShift(openShift, installationOf(hook.slice(listedHookOf('').length + 1))),
  },
};

/** A Machine that lives gets it in a moment, where the user says that phaseout is beside. */
const getsHook = (dialect: Dialect, machine: KubeObject): boolean =>
  machine.metadata.deletionTimestamp === undefined &&
  dialect.beside?.register(dialect.read(machine)).kind === 'due';

const isOf = ({ group, versions }: Dialect, apiVersion: string): boolean =>
  versions.some((version) => apiVersion === `${group}/${version}`);

/** A hook that is gone leaves a checkpoint, and a condition. */
function isMarkedBeside({ metadata, status }: KubeObject): boolean {
  const reading = parseCheckpoint(metadata.annotations?.[checkpointAnnotation], metadata.uid ?? '');
  if (reading.kind === 'valid')
    return reading.checkpoint.phase === 'hand-over' || reading.checkpoint.released !== undefined;
  return [recordAt(status), recordAt(status, 'v1beta2')].some(
    ({ conditions }) => find(conditionsFrom(conditions), drainingCondition) !== undefined,
  );
}

/** Its name is the end of its hook. What else was chosen for it no Machine shows. */
const installationOf = (installation: string) => ({
  installation,
  hooksAfter: [],
  selects: () => true,
  controlPlanes: true,
  machinePools: true,
  drainsExcluded: false,
});
