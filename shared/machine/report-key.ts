import { lastingText } from '../text/stable-text.ts';
import { remarksIn } from './remarks.ts';
import type { Report } from './report.ts';

/**
 * What a report tells, at the checkpoint with this `seq`: the same key is no news. Of an error it has what lasts, for it may
 * have other numbers and IDs at each attempt.
 */
export function reportKey(seq: number, report: Omit<Report, 'reason'> & { reason: string }): string {
  const { reason, message, error } = report;
  const told = error === undefined ? message : lastingText(`${message}|${error}`);
  return `${seq}|${reason}|${told}${remarksIn(report)}`;
}
