import { refusals } from '../../wire/invented.ts';
import type { Fault } from '../fault.ts';
import { requestFault } from './request-fault.ts';

/** Each is asked for once in a deletion, among hundreds of other requests. */
export const deletesFail: Fault = requestFault({
  name: 'deletes-fail',
  about: 'Nodes, infrastructure and bootstrap objects cannot be deleted for a while.',
  becomes: 'fail',
  courses: ['in full bursts'],
  fits: ({ verb, resource }) => verb === 'delete' && !resource.startsWith('leases.'),
  fate: (_exchange, { random }) =>
    random.oneOf([
      { answer: refusals.internal },
      { answer: refusals.unavailable },
      { answer: refusals.timeout },
      { answer: refusals.notFoundPage },
      { lost: 'before' },
    ]),
});
