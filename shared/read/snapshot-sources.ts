import type { Actuator, ActuatorTarget } from '../actuator/port.ts';
import type { Cache } from '../cache/cache.ts';
import type { NodeDeletion } from '../dialects/gate.ts';
import type { Kubernetes } from '../kubernetes/client.ts';
import type { NodeFinder } from '../phase/snapshot.ts';
import type { Store } from '../store/port.ts';
import type { Clock, Instant } from '../time/clock.ts';
import type { KnownDeletions } from './known-deletions.ts';

/** What a look at the world for one Machine is made through. */
export interface SnapshotSources {
  management: Kubernetes;
  workload: () => Promise<Kubernetes>;
  store: Store;
  cache: Cache;
  clock: Clock;
  beganAt: Instant;
  machineUid: string;
  /** Tells one workload cluster's recent reads from another's. */
  workloadName: string;
  /** Of an earlier start of the same step. */
  deletions?: KnownDeletions | undefined;
  considersVolumeAttachments: boolean;
  nodeFinder: NodeFinder;
  nodeDeletion: (hasNode: boolean) => Promise<NodeDeletion>;
  actuator: Actuator;
  /** What the actuator is asked about. */
  target: ActuatorTarget;
}
