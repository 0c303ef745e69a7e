import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';
import type { Config } from '../../../../shared/runtime/config.ts';
import { isClusterApi, isOpenShift, isOriginal } from '../../../stories/stage/apis.ts';
import { management } from '../../platform/clusters.ts';
import { deletedForMove } from '../../scenario/beside.ts';
import { clusterOf } from './machine.ts';
import type { View } from './past.ts';

/** Why nothing may be done to a Machine, whatever else is so; undefined where nothing forbids it. */
export function whyHeldBack(view: View, machine: KubeObject): string | undefined {
  if (isClusterApi(machine)) return whyPaused(view, machine);
  return isOpenShift(machine) ? whyNotOurs(machine) : undefined;
}

/** An instance that runs on it does not delete it. It knows its Node by its configuration, in the original API alone. */
export function whyOurOwn(
  view: View,
  machine: KubeObject,
  { ownNode }: Pick<Config, 'ownNode'>,
): string | undefined {
  if (!isOriginal(machine) || ownNode === '') return undefined;
  const { name, uid } = recordAt(machine, 'status', 'nodeRef');
  if (name !== ownNode || view.get(management, 'nodes', undefined, ownNode)?.metadata.uid !== uid)
    return undefined;
  return `phaseout runs on its Node ${ownNode}`;
}

const filterLabel = 'cluster.x-k8s.io/watch-filter';

/** Users may give it to somebody else in the middle of its deletion: by its label, in Cluster API alone. */
export function whyTheirs(
  machine: KubeObject,
  { watchFilter }: Pick<Config, 'watchFilter'>,
): string | undefined {
  if (watchFilter === '' || !isClusterApi(machine)) return undefined;
  const label = machine.metadata.labels?.[filterLabel];
  return label === watchFilter ? undefined : `it is for whoever has the watch filter ${label ?? ''}`;
}

function whyPaused(view: View, machine: KubeObject): string | undefined {
  if (machine.metadata.annotations?.['cluster.x-k8s.io/paused'] !== undefined) return 'it is paused';
  if (machine.metadata.annotations?.[deletedForMove] !== undefined) return 'it is moved elsewhere';
  const isClusterPaused = recordAt(clusterOf(view, machine), 'spec')['paused'] === true;
  return isClusterPaused ? 'its Cluster is paused' : undefined;
}

/** Somebody else may have authority over it, and some Machines no controller would take. */
function whyNotOurs(machine: KubeObject): string | undefined {
  const authority =
    textAt(machine, 'status', 'authoritativeAPI') ??
    textAt(machine, 'spec', 'authoritativeAPI') ??
    'MachineAPI';
  if (authority !== 'MachineAPI') return `its authority is ${authority}`;
  if (!machine.metadata.labels?.['machine.openshift.io/cluster-api-cluster'])
    return 'it has no label of its cluster';
  const hasProvider = recordAt(machine, 'spec', 'providerSpec')['value'] !== undefined;
  return hasProvider ? undefined : 'it has no providerSpec';
}
