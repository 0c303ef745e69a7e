import { besideClusterApi } from '../dialects/beside/cluster-api.ts';
import { drainingCondition, hooksOn, installationIn, isHookOfOurs, listOf } from '../dialects/beside/hook.ts';
import { besideOpenShift } from '../dialects/beside/openshift.ts';
import type { BesideOptions } from '../dialects/beside/registration.ts';
import { clusterApi } from '../dialects/capi/index.ts';
import { conditionsIn, find } from '../dialects/conditions.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { openShift } from '../dialects/openshift/index.ts';
import { dialects as all } from '../dialects/registry.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { type Checkpoint, checkpointAnnotation, parseCheckpoint } from '../machine/checkpoint.ts';

/**
 * A Machine's API and how phaseout works with it, as the Machine itself shows. The reader need not know the installation.
 * Undefined where the API is none that is known. `configured`: what the user says of it.
 */
export function shownDialect(machine: KubeObject, configured: readonly Dialect[] = all): Dialect | undefined {
  const { apiVersion = '' } = machine;
  const known = [...configured, ...all].find((dialect) => isOf(dialect, apiVersion));
  const shown = known?.isObserved === true ? undefined : known && shownBy[known.group];
  if (known === undefined || shown === undefined) return known;
  const hook = hooksOn(machine).find(({ name, owner }) => isHookOfOurs(name, owner))?.name;
  if (hook === undefined && !isMarkedBeside(machine)) return getsHook(known, machine) ? known : shown.alone;
  return isBesideBy(known, hook) ? known : shown.beside(installationOf(installationIn(hook ?? '') ?? ''));
}

/** Whether it is configured so, by this hook where there is one. */
const isBesideBy = ({ beside }: Dialect, hook: string | undefined): boolean =>
  beside !== undefined && (hook === undefined || listOf(beside.hooks).some(({ name }) => name === hook));

/** By the group of the Machine API: phaseout in place of its controllers, and beside them. */
const shownBy: Readonly<Record<string, { alone: Dialect; beside: (options: BesideOptions) => Dialect }>> = {
  [clusterApi.group]: {
    alone: clusterApi,
    beside: (options) => besideClusterApi(clusterApi, options),
  },
  [openShift.group]: {
    alone: openShift,
    beside: (options) => besideOpenShift(openShift, options),
  },
};

/** A Machine that lives gets it in a moment, where the user says that phaseout is beside. */
const getsHook = (dialect: Dialect, machine: KubeObject): boolean =>
  machine.metadata.deletionTimestamp === undefined &&
  dialect.beside?.register(dialect.read(machine), 'PreDrain', true).kind === 'due';

const isOf = ({ group, versions }: Dialect, apiVersion: string): boolean =>
  versions.some((version) => apiVersion === `${group}/${version}`);

/** A hook that is gone leaves a checkpoint, and a condition. */
function isMarkedBeside({ metadata, status }: KubeObject): boolean {
  const reading = parseCheckpoint(metadata.annotations?.[checkpointAnnotation], metadata.uid ?? '');
  if (reading.kind === 'valid') return isHandedOver(reading.checkpoint);
  return find(conditionsIn(status), drainingCondition) !== undefined;
}

/** It is about to be, or was. */
const isHandedOver = ({ phase, released }: Checkpoint): boolean =>
  phase === 'hand-over' || released !== undefined;

/** Its name is the end of its hook. What else was chosen for it no Machine shows. */
const installationOf = (installation: string): BesideOptions => ({
  installation,
  hooksAfter: [],
  selects: () => true,
  controlPlanes: true,
  machinePools: true,
  drainsExcluded: false,
});
