import type { Fault } from '../fault.ts';
import { isNoWatch, isWatch, isWrite, requestFault } from './request-fault.ts';

/** Requests and answers that do not arrive. */
export const lost: readonly Fault[] = [
  requestFault({
    name: 'timeout',
    about: 'Requests are neither done nor answered.',
    becomes: 'are not answered',
    courses: ['now and then', 'in bursts'],
    fits: isNoWatch,
    fate: () => ({ silent: 'before' }),
  }),
  requestFault({
    name: 'timeout-with-effect',
    about: 'Requests are done and not answered.',
    becomes: 'are done and not answered',
    courses: ['now and then', 'in bursts'],
    fits: isNoWatch,
    fate: () => ({ silent: 'after' }),
  }),
  requestFault({
    name: 'timeout-with-late-effect',
    about: 'Writes are done when nobody waits for their answer any more.',
    becomes: 'arrive when nobody waits for them any more',
    courses: ['now and then', 'in bursts'],
    fits: isWrite,
    fate: () => ({ silent: 'late' }),
  }),
  requestFault({
    name: 'connection-lost',
    about: 'The connection breaks before a request is done.',
    becomes: 'are cut off before they are done',
    fate: () => ({ lost: 'before' }),
  }),
  requestFault({
    name: 'connection-lost-with-effect',
    about: 'The connection breaks after a request was done.',
    becomes: 'are cut off after they were done',
    fate: () => ({ lost: 'after' }),
  }),
  requestFault({
    name: 'watches-refused',
    about:
      'No watch can be opened, as behind a load balancer that has no place for one; all else is answered.',
    becomes: 'are refused',
    fits: isWatch,
    fate: () => 'refused',
  }),
];
