import { refusals } from '../../wire/invented.ts';
import { requestFault } from './request-fault.ts';

/** Says nothing of the object that was asked for. */
export const notFoundPage = requestFault({
  name: 'not-found-page',
  about: 'What stands before the API answers 404 with a page of its own.',
  becomes: 'are answered by the 404 of a proxy',
  fate: () => ({ answer: refusals.notFoundPage }),
});
