import { lastingText } from '../text/stable-text.ts';
import { remarksIn } from './remarks.ts';
import type { Report } from './report.ts';

/** What a report has to tell; of an error what lasts, for it may have other numbers and IDs at each attempt. */
export function reportKey(report: Omit<Report, 'reason'> & { reason: string }): string {
  const { reason, message, error } = report;
  const told = error === undefined ? message : lastingText(`${message}|${error}`);
  return `${reason}|${told}${remarksIn(report)}`;
}
