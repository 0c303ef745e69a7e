import type { Reason } from '../../machine/reason.ts';
import type { StatusInput } from '../status-input.ts';

/**
 * Whether the report is about an attempt of the step. A late hook, an error before it, or a step that could not tell whether
 * the phase applies is no attempt.
 */
export const hasBegun = ({ report }: StatusInput, reason: Reason): boolean =>
  report === undefined ||
  report.reason === 'Deleting' ||
  (report.reason === reason && report.isUndecided !== true);
