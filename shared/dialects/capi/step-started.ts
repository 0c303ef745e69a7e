import type { Reason } from '../../machine/reason.ts';
import type { StatusInput } from '../dialect.ts';

/**
 * Nothing but that it has begun is known: a hook that came late, or an error before it, is not its beginning.
 * Nor is it one that nobody could tell whether it is to be done.
 */
export const hasBegun = ({ report }: StatusInput, reason: Reason): boolean =>
  report === undefined ||
  report.reason === 'Deleting' ||
  (report.reason === reason && report.isUndecided !== true);
