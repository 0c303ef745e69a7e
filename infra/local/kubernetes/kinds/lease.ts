import type { KindRules } from '../discovery/resource.ts';
import { invalidValue } from '../objects/status.ts';
import { at, objectOf } from '../server/json.ts';

const microTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(?:Z|[+-]\d\d:\d\d)$/;

/** Times of a Lease have exactly six fraction digits. */
function unparsable(time: string): string {
  const rest = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(.*)$/.exec(time)?.[1];
  const found = rest === undefined ? `"${time}" as "2006"` : `"${rest}" as ".000000"`;
  return `parsing time "${time}" as "2006-01-02T15:04:05.000000Z07:00": cannot parse ${found}`;
}

/** Leases: never written blindly, because holding one is a matter of who wrote last. */
export const leaseRules: KindRules = {
  needsVersion: true,
  createsOnUpdate: true,
  defaults: (lease) => ({ ...lease, spec: objectOf(lease.spec) }),
  malformation(lease) {
    const times = [at(lease, 'spec', 'acquireTime'), at(lease, 'spec', 'renewTime')];
    for (const time of times) if (typeof time === 'string' && !microTime.test(time)) return unparsable(time);
    return undefined;
  },
  refusals(lease) {
    const seconds = at(lease, 'spec', 'leaseDurationSeconds');
    if (typeof seconds !== 'number' || seconds > 0) return [];
    return [invalidValue('spec.leaseDurationSeconds', seconds, 'must be greater than 0')];
  },
};
