import { type ControllerOptions, startControllers } from '../../../infra/local/controllers/index.ts';
import { openShiftDefinitions } from '../../../infra/local/kubernetes/crds/openshift.ts';
import { v1alpha1Definitions } from '../../../infra/local/kubernetes/crds/v1alpha1.ts';
import type { Cluster, KubeObject, ObjectMeta } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { type ApiServer, createApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import type { Cloud } from '../../../infra/local/provider/cloud.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { pingSourceDefinition } from '../../stories/missed-events/schedules.ts';
import { definitionsOf } from '../../stories/stage/definitions.ts';
import { withoutHookTimes } from '../../stories/stage/hook-times.ts';
import type { Random } from '../random.ts';
import type { WorldParts } from '../world-parts.ts';

/** Where the Machines are. Workload clusters have names of their own. */
export const management = 'management';

/** One API server with what runs beside it. */
export interface SimulatedCluster {
  host: string;
  server: ApiServer;
  cluster: Cluster;
  stop(): void;
}

type ControllerName = NonNullable<ControllerOptions['only']>[number];

const everywhere: readonly ControllerName[] = [
  ...(['garbage-collector', 'namespace', 'disruption', 'replicaset', 'daemonset'] as const),
  ...(['pod-garbage', 'node-taints', 'volume-attachment', 'volume-protection'] as const),
  ...(['scheduler', 'kubelet'] as const),
];

const besideMachines: readonly ControllerName[] = [
  'infrastructure',
  'server-power',
  'hook-owner',
  'cluster-api-peer',
];

interface ClusterParts {
  clock: Clock;
  random: Random;
  cloud: Cloud;
  /** Told of what a controller could not do. */
  report: (what: string) => void;
  /** Where the Nodes of a Cluster are, for Cluster API's own controller; without it there is none. */
  workload?: (cluster: ObjectMeta) => Cluster | undefined;
}

/** The one that has the Machines, and the workload clusters, by name. */
export function openClusters(
  { workloads, peer, ...served }: Pick<WorldParts, 'workloads' | 'peer'> & Served,
  parts: ClusterParts,
): ReadonlyMap<string, SimulatedCluster> {
  const opened = new Map<string, SimulatedCluster>();
  const workload = ({ namespace, name }: ObjectMeta): Cluster | undefined => {
    const host = peer?.[`${namespace}/${name}`];
    return host === undefined ? undefined : opened.get(host)?.cluster;
  };
  for (const host of [management, ...workloads])
    opened.set(
      host,
      openCluster(host, served, {
        ...parts,
        random: parts.random.fork(host),
        ...(peer !== undefined && { workload }),
      }),
    );
  return opened;
}

type Served = Pick<WorldParts, 'version' | 'tellsOfHooks'>;

/** Of Cluster API this version alone, or all of them. */
const machineApis = ({ version, tellsOfHooks = false }: Served): readonly KubeObject[] => [
  ...definitionsOf(version).map((definition) => (tellsOfHooks ? definition : withoutHookTimes(definition))),
  ...openShiftDefinitions,
  ...v1alpha1Definitions,
  pingSourceDefinition,
];

function openCluster(
  host: string,
  served: Served,
  { clock, random, cloud, report, workload }: ClusterParts,
): SimulatedCluster {
  const isManagement = host === management;
  const server = createApiServer({ clock, random });
  const { cluster } = server;
  for (const definition of isManagement ? machineApis(served) : [])
    cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  const stop = startControllers(cluster, clock, {
    only: isManagement ? [...everywhere, ...besideMachines] : everywhere,
    cloud,
    ...(workload !== undefined && { peer: true, workload }),
    report: (error, about) => report(`${host}: controller ${about}: ${String(error)}`),
  });
  return { host, server, cluster, stop };
}
