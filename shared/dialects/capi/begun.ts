import type { Reason } from '../../machine/reason.ts';
import type { StatusInput } from '../dialect.ts';

/** Nothing but that it has begun is known: a hook that came late, or an error before it, is not its beginning. */
export const hasBegun = ({ report }: StatusInput, reason: Reason): boolean =>
  report === undefined || report.reason === 'Deleting' || report.reason === reason;
