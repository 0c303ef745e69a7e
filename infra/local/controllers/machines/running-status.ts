import type { Instant } from '../../../../shared/time/clock.ts';
import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { toTime, uidOf } from '../machinery/objects.ts';
import type { Machine } from './machine-objects.ts';

const conditions: readonly [type: string, status: string, reason: string][] = [
  ['Available', 'True', 'Available'],
  ['Ready', 'True', 'Ready'],
  ['BootstrapConfigReady', 'True', 'Ready'],
  ['InfrastructureReady', 'True', 'Ready'],
  ['NodeHealthy', 'True', 'NodeHealthy'],
  ['NodeReady', 'True', 'NodeReady'],
  ['Updating', 'False', 'NotUpdating'],
  ['Paused', 'False', 'NotPaused'],
  ['Deleting', 'False', 'NotDeleting'],
];
const oldConditions = ['Ready', 'BootstrapReady', 'InfrastructureReady', 'NodeHealthy'];

/** What Cluster API says of a Machine that runs and has a Node, at the version in which the Machine is kept. */
export function runningStatus({ apiVersion, metadata }: Machine, node: KubeObject, now: Instant): object {
  const lastTransitionTime = toTime(now);
  const observedGeneration = metadata.generation ?? 1;
  const current = conditions.map(([type, status, reason]) => ({
    type,
    status,
    reason,
    message: '',
    lastTransitionTime,
    observedGeneration,
  }));
  const old = oldConditions.map((type) => ({ type, status: 'True', lastTransitionTime }));
  const common = { phase: 'Running', lastUpdated: lastTransitionTime, observedGeneration };
  const { name } = node.metadata;
  if (apiVersion?.endsWith('/v1beta1') !== true) {
    return {
      ...common,
      nodeRef: { name },
      initialization: { bootstrapDataSecretCreated: true, infrastructureProvisioned: true },
      conditions: current,
      deprecated: { v1beta1: { conditions: old } },
    };
  }
  return {
    ...common,
    nodeRef: { apiVersion: 'v1', kind: 'Node', name, uid: uidOf(node) },
    bootstrapReady: true,
    infrastructureReady: true,
    conditions: old,
    v1beta2: { conditions: current },
  };
}
