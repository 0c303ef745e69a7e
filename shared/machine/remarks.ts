import type { Report } from './report.ts';

/** What facts and the history say: the peer's lines, and ours after them. */
export const withRemarks = ({ message, remarks = [] }: Pick<Report, 'message' | 'remarks'>): string =>
  [message, ...remarks].join('\n');

const mark = '|remarks|';

/** The part of what was told that no status has. */
export const remarksIn = ({ remarks = [] }: Pick<Report, 'remarks'>): string =>
  remarks.length === 0 ? '' : `${mark}${remarks.join('\n')}`;

/**
 * Whether lines of ours are said, or were said last. The status does not show them, so that only what was told last says
 * whether they are news, or are not so any more.
 */
export const isAboutRemarks = ({ remarks = [] }: Report, toldLast: string | undefined): boolean =>
  remarks.length > 0 || toldLast?.includes(mark) === true;
