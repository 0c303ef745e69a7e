import { retold } from '../kubernetes/reword-error.ts';
import { notDeleted } from './owned-object.ts';
import { CouldNotLook } from '../kubernetes/errors.ts';

/** Rethrows why an object could not be deleted: it would be taken for waited for, while nobody has asked for its end. */
export function notAskedToGo(error: unknown): never {
  if (!(error instanceof CouldNotLook)) throw error;
  throw retold(error, notDeleted);
}
