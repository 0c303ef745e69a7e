import type { Exchange } from '../../wire/exchange.ts';
import type { FaultSetting } from '../fault.ts';
import { isWrite, requestFault } from './request-fault.ts';

/** In the words of real API servers. A Machine may also be too large for the write. */
function messageOf({ resource, name }: Exchange, { random }: FaultSetting): string {
  const isTooLong = resource.startsWith('machines.') && random.fork('too long').chance(0.3);
  if (isTooLong)
    return `${resource} "${name}" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes`;
  const policy = "ValidatingAdmissionPolicy 'audit' with binding 'audit' denied request";
  return `${resource} "${name}" is forbidden: ${policy}: nothing may be changed during the audit`;
}

/** Like a 403, a 422 means that an immediate retry is useless. It strikes one verb of one resource, or all. */
export const denied = requestFault({
  name: 'denied',
  about: 'A policy does not let anything be written, or the API takes it for invalid: 422.',
  becomes: 'are answered 422',
  courses: ['in full bursts', 'for long'],
  fits: isWrite,
  fate: (exchange, setting) => ({
    answer: { status: 422, reason: 'Invalid', message: messageOf(exchange, setting) },
  }),
});
