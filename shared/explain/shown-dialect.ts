import { besideClusterApi } from '../dialects/beside/index.ts';
import { drainingCondition, hookOf, isHookOfOurs } from '../dialects/beside/names.ts';
import { clusterApi } from '../dialects/capi/index.ts';
import { conditionsFrom, find } from '../dialects/conditions.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { recordAt } from '../dialects/fields.ts';
import { dialects as all } from '../dialects/registry.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { checkpointAnnotation, parseCheckpoint } from '../machine/checkpoint.ts';

/**
 * The Machine API of a Machine, and how phaseout works with this one, as the Machine itself shows it: who looks need not know
 * how phaseout was installed. Undefined where the API is none that is known. `configured`: what the user says of it.
 */
export function shownDialect(
  { apiVersion = '', metadata, status }: KubeObject,
  configured: readonly Dialect[] = all,
): Dialect | undefined {
  const known = [...configured, ...all].find((dialect) => isOf(dialect, apiVersion));
  if (known === undefined || known.isObserved === true || known.group !== clusterApi.group) return known;
  const hook = Object.entries(metadata.annotations ?? {}).find(([name, value]) => isHookOfOurs(name, value));
  if (hook === undefined && !isMarkedBeside({ metadata, status })) return clusterApi;
  const isConfigured = known.beside !== undefined && (hook === undefined || known.beside.hook === hook[0]);
  return isConfigured ? known : besideClusterApi(clusterApi, installationOf(hook?.[0]));
}

const isOf = ({ group, versions }: Dialect, apiVersion: string): boolean =>
  versions.some((version) => apiVersion === `${group}/${version}`);

/** A hook that is gone leaves a checkpoint, and a condition. */
function isMarkedBeside({ metadata, status }: Pick<KubeObject, 'metadata'> & { status: unknown }): boolean {
  const reading = parseCheckpoint(metadata.annotations?.[checkpointAnnotation], metadata.uid ?? '');
  if (reading.kind === 'valid')
    return reading.checkpoint.phase === 'hand-over' || reading.checkpoint.released !== undefined;
  return [recordAt(status), recordAt(status, 'v1beta2')].some(
    ({ conditions }) => find(conditionsFrom(conditions), drainingCondition) !== undefined,
  );
}

/** Its name is the end of its hook. What else was chosen for it no Machine shows. */
const installationOf = (hook = hookOf('')) => ({
  installation: hook.slice(hookOf('').length + 1),
  hooksAfter: [],
  selects: () => true,
  controlPlanes: true,
  machinePools: true,
  drainsExcluded: false,
});
