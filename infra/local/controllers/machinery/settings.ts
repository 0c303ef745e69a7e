import type { Cluster, ObjectMeta } from '../../kubernetes/objects/cluster.ts';
import type { Cloud } from '../../provider/cloud.ts';

/** Annotations by which an object of the local platform asks for a behaviour of its own. */
export const annotations = {
  /** How long infrastructure takes to come up, in seconds; without it, it stays as it was loaded. */
  startSeconds: 'local.phaseout.dev/start-seconds',
  /** How long a Pod runs before it is Ready, in seconds, as if its readiness probe failed until then. */
  readySeconds: 'local.phaseout.dev/ready-seconds',
  /** How long a Pod takes to stop, or infrastructure to go, in seconds. */
  stopSeconds: 'local.phaseout.dev/stop-seconds',
  /** `"true"`: once asked to go it stays. */
  neverStops: 'local.phaseout.dev/never-stops',
  /** A Pod that completes by itself after so many seconds. */
  runSeconds: 'local.phaseout.dev/run-seconds',
  mirror: 'kubernetes.io/config.mirror',
} as const;

export interface Settings {
  /** From being bound to Running and Ready. */
  podStartSeconds: number;
  /** From deletionTimestamp to gone, for Pods that do not say otherwise. */
  podStopSeconds: number;
  /** How long a completed Pod is left to be seen. */
  podCleanupSeconds: number;
  /** How long Pods of a Node that no longer exists are left. */
  podGarbageSeconds: number;
  /** From the last Pod's end to the volume detached. */
  detachSeconds: number;
  /** The same on a Node that does not answer, which a real attach/detach controller gives six minutes. */
  forcedDetachSeconds: number;
  infrastructureSeconds: number;
  /** From being asked for to running, for infrastructure made here. */
  serverStartSeconds: number;
  /** From the end of the infrastructure to its Node's Ready turning Unknown. */
  nodeUnknownSeconds: number;
  hookSeconds: number;
  /** From a new member of etcd running to its having all data. */
  etcdSyncSeconds: number;
  /** Whether a Machine API's own controller deletes Machines, as it does beside phaseout, and where phaseout only watches. */
  peer: boolean;
  /** Whether OpenShift's own two controllers do so. */
  openShiftPeer: boolean;
  /** Where the peer finds the Nodes of a Cluster's Machines; undefined where they are beside the Machines. */
  workload: (cluster: ObjectMeta) => Cluster | undefined;
  /** Told the key of a Machine each time that controller leaves it for its 20 seconds. */
  onPeerPass?: ((machine: string) => void) | undefined;
  /** UIDs of owners that were never seen here. Their absence proves nothing. */
  unknownOwners: ReadonlySet<string>;
  /** Where the servers of OpenShift's and v1alpha1's Machines are; without it none are made. */
  cloud?: Cloud | undefined;
}

export const defaultSettings: Settings = {
  podStartSeconds: 0.5,
  podStopSeconds: 1,
  podCleanupSeconds: 1,
  podGarbageSeconds: 1,
  detachSeconds: 1,
  forcedDetachSeconds: 360,
  infrastructureSeconds: 1,
  serverStartSeconds: 2,
  nodeUnknownSeconds: 1,
  hookSeconds: 2,
  etcdSyncSeconds: 2,
  peer: false,
  openShiftPeer: false,
  workload: () => undefined,
  unknownOwners: new Set(),
};
