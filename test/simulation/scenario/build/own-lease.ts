import { leases, ownLease } from '../../platform/hook-watchdog.ts';
import type { World } from '../../world.ts';

/** As the manifests bring it. */
export function buildOwnLease({ management }: World): void {
  const { namespace } = ownLease;
  if (management.get('namespaces', undefined, namespace) === undefined)
    management.create('namespaces', { metadata: { name: namespace } });
  const kind = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
  management.create(leases, { ...kind, metadata: ownLease, spec: {} });
}
