import type { ActuatorRefusal } from '../../actuator/port.ts';
import type { Machine } from '../../machine/machine.ts';
import { recordAt } from '../fields.ts';

/**
 * A Machine that never had an address, and that its provider could never make, has no server to wait for. With an
 * address there was one, however its configuration was spoilt since.
 */
export const forgives = ({ raw }: Machine, refusal: ActuatorRefusal): boolean =>
  refusal.kind === 'failed' && refusal.reason === 'InvalidConfiguration' && !hasAddresses(raw);

function hasAddresses(raw: Machine['raw']): boolean {
  const { addresses } = recordAt(raw, 'status');
  return Array.isArray(addresses) && addresses.length > 0;
}
