import type { Report } from '../decision.ts';
import { lastingText } from '../text/lasting.ts';

/** What a report has to tell; of an error what lasts, for it may have other numbers and IDs at each attempt. */
export function newsIn({ reason, message, error }: Omit<Report, 'reason'> & { reason: string }): string {
  return error === undefined ? `${reason}|${message}` : `${reason}|${lastingText(`${message}|${error}`)}`;
}
