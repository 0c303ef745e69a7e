import { refusals } from '../../wire/invented.ts';
import { requestFault } from './request-fault.ts';

/** Gives no answer about the requested object. */
export const notFoundPage = requestFault({
  name: 'not-found-page',
  about: 'What stands before the API answers 404 with a page of its own.',
  becomes: 'are answered by the 404 of a proxy',
  fate: () => ({ answer: refusals.notFoundPage }),
});
