import type { WorkloadCluster } from '../kubernetes/client.ts';
import type { Subject } from '../phase/definition.ts';
import type { ClusterSnapshot } from '../read/snapshot.ts';
import type { Environment } from '../runtime/environment.ts';

/** Where an effect is done, and what is told of it. */
export interface EffectContext {
  env: Environment;
  subject: Subject;
  snapshot: ClusterSnapshot;
  workload: () => Promise<WorkloadCluster>;
}
