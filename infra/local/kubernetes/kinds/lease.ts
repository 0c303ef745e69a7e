import { at, objectOf } from '../json.ts';
import type { KindRules } from '../resource.ts';
import { invalidValue } from '../status.ts';

/** Leases: never written blindly, because holding one is a matter of who wrote last. */
export const leaseRules: KindRules = {
  needsVersion: true,
  defaults: (lease) => ({ ...lease, spec: objectOf(lease.spec) }),
  refusals(lease) {
    const seconds = at(lease, 'spec', 'leaseDurationSeconds');
    if (typeof seconds !== 'number' || seconds > 0) return [];
    return [invalidValue('spec.leaseDurationSeconds', seconds, 'must be greater than 0')];
  },
};
