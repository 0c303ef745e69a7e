import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AnyObject, created } from './objects.ts';
import { workloadOf } from './workload.ts';

/** The clusters of the fleet: each has as many Machines. */
export const fleetClusters = ['blue', 'green', 'red'] as const;

/** What one cluster has. */
export interface FleetSize {
  machines: number;
  podsPerNode: number;
}

/** 300 Machines with 9,000 Pods. */
const wholeFleet: FleetSize = { machines: 100, podsPerNode: 30 };

/** A fleet as it is dumped: the cluster of its Machines, and those of its Nodes. Each call makes the same. */
export function fleetDump({ machines, podsPerNode }: FleetSize = wholeFleet) {
  const namesIn = (cluster: string): string[] =>
    Array.from({ length: machines }, (_, index) => `${cluster}-${index}`);
  const ofCluster = (cluster: string): AnyObject[] => [
    aCluster(cluster),
    ...namesIn(cluster).map((name, index) => aMachine(cluster, name, index)),
  ];
  const workloads = fleetClusters.map(
    (cluster) => [cluster, workloadOf(cluster, namesIn(cluster), podsPerNode)] as const,
  );
  return { management: [...fleetClusters.flatMap(ofCluster), deletionHook], workloads: new Map(workloads) };
}

/** Writes the dump as kubectl does; the answer is the options that load it. */
export async function writeFleetDump(folder: string, size?: FleetSize): Promise<string[]> {
  const { management, workloads } = fleetDump(size);
  const write = async (name: string, items: readonly object[]): Promise<string> => {
    const path = join(folder, `${name}.json`);
    await writeFile(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    return path;
  };
  const loads = [...workloads].map(async ([name, items]) => `fleet/${name}=${await write(name, items)}`);
  return ['--load', await write('management', management), '--load-workload', ...(await Promise.all(loads))];
}

const aCluster = (name: string): AnyObject => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { ...created, name, namespace: 'fleet', uid: `cluster-${name}` },
  spec: {
    paused: false,
    controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'HostedControlPlane', name },
  },
});

/** Every tenth Machine has a hook of others, and every 25th waits for a function. */
function aMachine(cluster: string, name: string, index: number): AnyObject {
  const pool = `${cluster}-${index % 2 === 0 ? 'even' : 'odd'}`;
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      ...created,
      name,
      namespace: 'fleet',
      uid: `machine-${name}`,
      labels: {
        'cluster.x-k8s.io/cluster-name': cluster,
        'cluster.x-k8s.io/deployment-name': pool,
        ...(index % 25 === 7 && { storage: 'local' }),
      },
      annotations:
        index % 10 === 3
          ? { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/move-traffic': 'edge-team' }
          : {},
      ownerReferences: [
        { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: `${pool}-1`, uid: `set-${pool}` },
      ],
      finalizers: ['machine.cluster.x-k8s.io'],
    },
    spec: {
      clusterName: cluster,
      providerID: `aws:///z/${name}`,
      bootstrap: { dataSecretName: name },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name },
    },
    status: { phase: 'Running', nodeRef: { name } },
  };
}

const deletionHook: AnyObject = {
  apiVersion: 'phaseout.dev/v1alpha1',
  kind: 'DeletionHook',
  metadata: { ...created, name: 'take-out-osd', namespace: 'fleet', uid: 'hook-take-out-osd' },
  spec: {
    setBy: 'Phaseout',
    at: 'PreDrain',
    machines: [{ selector: { matchLabels: { storage: 'local' } } }],
    contact: 'storage-team',
  },
};
