import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { aRawMachine, timeAfter } from '../cluster-api.ts';
import { fleetClusters } from './fleet-dump.ts';

const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/move-traffic';

/** What a drain says of Pods, as Cluster API's controller writes it. */
const draining = (line: string) => ({
  reason: 'DrainingNode',
  message: `Drain not completed yet (started at 2026-01-01T12:00:10Z):\n* ${line}`,
});

const budgetRefuses = draining(
  "Pod shop/web-1: cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 2 healthy pods and has 2 currently",
);

const holders: readonly { reason: string; message: string; annotations?: Record<string, string> }[] = [
  budgetRefuses,
  {
    reason: 'WaitingForPreDrainHook',
    message: `Waiting for pre-drain hooks to succeed (hooks: ${hook})`,
    annotations: { [hook]: 'edge-team' },
  },
  draining(
    'Pod shop/cart-1: failed to evict Pod, This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
  ),
  { reason: 'WaitingForVolumeDetach', message: 'Waiting for Node volumes to be detached' },
  { reason: 'WaitingForInfrastructureDeletion', message: 'Waiting for infrastructure to be deleted' },
];

interface FleetOptions {
  machines?: number;
  deleting?: number;
  /** When each was asked to go (RFC 3339). */
  askedAt?: (index: number) => string;
}

/** So many Machines of three clusters in two namespaces. The first are being deleted; five kinds of things hold them. */
export const deletingFleet = ({
  machines = 1_000,
  deleting = 200,
  askedAt,
}: FleetOptions = {}): KubeObject[] =>
  Array.from({ length: machines }, (_, index) =>
    index < deleting ? aDeletedMachine(index, { at: askedAt?.(index) }) : aLivingMachine(index),
  );

/** One that is being deleted. `holder` is which of the five holds it. */
export function aDeletedMachine(
  index: number,
  { holder = index % holders.length, at = timeAfter(0) }: { holder?: number; at?: string | undefined } = {},
): KubeObject {
  const { annotations = {}, reason, message } = holders[holder]!;
  return aRawMachine({
    ...placed(index),
    metadata: { ...placed(index).metadata, deletionTimestamp: at },
    annotations,
    status: {
      phase: 'Deleting',
      nodeRef: { name: placed(index).metadata.name },
      conditions: [{ type: 'Deleting', status: 'True', reason, message, lastTransitionTime: at }],
    },
  });
}

function aLivingMachine(index: number): KubeObject {
  const place = placed(index);
  const machine = aRawMachine({
    ...place,
    status: { phase: 'Running', nodeRef: { name: place.metadata.name } },
  });
  delete machine.metadata.deletionTimestamp;
  return machine;
}

function placed(index: number) {
  const clusterName = fleetClusters[index % fleetClusters.length]!;
  const name = `${clusterName}-${index}`;
  const infrastructureRef = { apiGroup: 'infra.example', kind: 'Server', name };
  return {
    metadata: { name, namespace: clusterName === 'red' ? 'edge' : 'fleet', uid: `uid-${index}` },
    spec: { clusterName, providerID: `x://${name}`, infrastructureRef },
  };
}
