import { type ControllerOptions, startControllers } from '../../../infra/local/controllers/index.ts';
import { openShiftDefinitions } from '../../../infra/local/kubernetes/crds/openshift.ts';
import { v1alpha1Definitions } from '../../../infra/local/kubernetes/crds/v1alpha1.ts';
import type { Cluster, KubeObject, ObjectMeta } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { type ApiServer, createApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import type { Cloud } from '../../../infra/local/provider/cloud.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { pingSourceDefinition } from '../../stories/missed-events/schedules.ts';
import { definitionsOf } from '../../stories/stage/definitions.ts';
import { hookDefinitions } from '../../stories/stage/hook-definitions.ts';
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
  /** OpenShift's own controllers, where there are some. */
  peers?: Peers;
  stop(): void;
}

type ControllerName = NonNullable<ControllerOptions['only']>[number];

const everywhere: readonly ControllerName[] = [
  ...(['garbage-collector', 'namespace', 'disruption', 'replicaset', 'daemonset'] as const),
  ...(['pod-garbage', 'node-taints', 'volume-attachment', 'volume-protection'] as const),
  ...(['scheduler', 'kubelet'] as const),
];

const besideMachines: readonly ControllerName[] = ['infrastructure', 'server-power', 'hook-owner'];

/** What carries deletions on in the place of phaseout. */
const peersOf = {
  capi: ['cluster-api-peer'],
  openshift: ['openshift-machine-controller', 'openshift-drain-controller'],
  v1alpha1: ['original-peer'],
} as const satisfies Record<string, readonly ControllerName[]>;

interface ClusterParts {
  clock: Clock;
  random: Random;
  cloud: Cloud;
  /** Called with what a controller could not do. */
  report: (what: string) => void;
  /** From being bound to Running and Ready; left out, it is the local platform's. */
  podStartSeconds?: number;
  rollsOut?: boolean;
}

/** They can be stopped and started again, with nothing but what the cluster has. */
interface Peers {
  /** Whether they ran. */
  stop(): boolean;
  start(): void;
}

interface OwnControllers {
  /** The Machine APIs whose own controllers there are. */
  of: readonly (keyof typeof peersOf)[];
  /** Where the Nodes of a Cluster are, for Cluster API's own controller. */
  workload: (cluster: ObjectMeta) => Cluster | undefined;
}

/** The one that has the Machines, and the workload clusters, by name. */
export function openClusters(
  {
    workloads,
    peer,
    otherPeers = [],
    rollsOut = false,
    ...served
  }: Pick<WorldParts, 'workloads' | 'peer' | 'otherPeers' | 'rollsOut'> & Served,
  parts: ClusterParts,
): ReadonlyMap<string, SimulatedCluster> {
  const opened = new Map<string, SimulatedCluster>();
  const workload = ({ namespace, name }: ObjectMeta): Cluster | undefined => {
    const host = peer?.[`${namespace}/${name}`];
    return host === undefined ? undefined : opened.get(host)?.cluster;
  };
  const own: OwnControllers = {
    of: [...(peer === undefined ? [] : ['capi' as const]), ...otherPeers],
    workload,
  };
  for (const host of [management, ...workloads])
    opened.set(host, openCluster(host, served, own, { ...parts, rollsOut, random: parts.random.fork(host) }));
  return opened;
}

type Served = Pick<WorldParts, 'version' | 'tellsOfHooks' | 'deletionHooks'>;

/** Of Cluster API this version alone, or all of them. */
const machineApis = ({
  version,
  tellsOfHooks = false,
  deletionHooks = [],
}: Served): readonly KubeObject[] => [
  ...definitionsOf(version).map((definition) => (tellsOfHooks ? definition : withoutHookTimes(definition))),
  ...openShiftDefinitions,
  ...v1alpha1Definitions,
  pingSourceDefinition,
  ...(deletionHooks.length > 0 ? hookDefinitions : []),
];

function openCluster(
  host: string,
  served: Served,
  { of, workload }: OwnControllers,
  { clock, random, cloud, report, podStartSeconds, rollsOut = false }: ClusterParts,
): SimulatedCluster {
  const isManagement = host === management;
  const server = createApiServer({ clock, random });
  const { cluster } = server;
  for (const definition of isManagement ? machineApis(served) : [])
    cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  const start = (only: readonly ControllerName[]): (() => void) =>
    startControllers(cluster, clock, {
      only,
      cloud,
      peer: true,
      openShiftPeer: true,
      ...(podStartSeconds !== undefined && { podStartSeconds }),
      workload,
      report: (error, about) => report(`${host}: controller ${about}: ${String(error)}`),
    });
  const usual = [...everywhere, ...(rollsOut ? (['deployment'] as const) : [])];
  if (!isManagement) return { host, server, cluster, stop: start(usual) };
  const others = of.filter((api) => api !== 'openshift').flatMap((api) => peersOf[api]);
  const stop = start([...usual, ...besideMachines, ...others]);
  if (!of.includes('openshift')) return { host, server, cluster, stop };
  const peers = stoppable(() => start(peersOf.openshift));
  return {
    host,
    server,
    cluster,
    peers,
    stop() {
      peers.stop();
      stop();
    },
  };
}

/** Running at first. */
function stoppable(start: () => () => void): Peers {
  let stop: (() => void) | undefined = start();
  return {
    stop() {
      const ran = stop !== undefined;
      stop?.();
      stop = undefined;
      return ran;
    },
    start: () => void (stop ??= start()),
  };
}
