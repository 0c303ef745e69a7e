import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import type { HistoryEntry } from '../../../shared/store/port.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import { messageLines } from '../../terminal/words.ts';

type Said = Pick<HistoryEntry, 'what' | 'reason' | 'message'>;

/** Why, in one line. */
export const saying = ({ what, reason, message }: Said): string =>
  isPlain(what, reason) ? words(message) : `${reason}: ${words(message)}`;

/** Of what a phase has done, or passed with its work done, the reason says no more than the phase. */
const isPlain = (what: HistoryEntry['what'], reason: string): boolean =>
  what === 'acted' || what === 'completed' || (what === 'advanced' && reason === 'done');

const words = (message: string): string => messageLines(message).join('; ');

const outcomes: Readonly<Record<PodRecord['outcome'], string>> = {
  accepted: 'evicted',
  gone: 'was gone',
  refused: 'refused',
};

/** What was tried with one Pod, in columns, and in the last one the words of who refused. */
export const podRow = (pod: PodRecord): string[] => [...triedCells(pod), refusedCell(pod, true)];

/** The same without those words. */
export const triesRow = (pod: PodRecord): string[] => [...triedCells(pod), refusedCell(pod, false)];

const triedCells = ({ namespace, name, outcome, attempts, lastAttempt }: PodRecord): string[] => [
  time(lastAttempt),
  `${namespace}/${name}`,
  outcomes[outcome],
  attempts === 1 ? '1 attempt' : `${attempts} attempts`,
];

function refusedCell({ refusals, lastRefusal }: PodRecord, isInWords: boolean): string {
  const counts = Object.entries(refusals).map(([cause, count]) => `${count} × ${cause}`);
  if (counts.length === 0) return '';
  const why = isInWords && lastRefusal !== undefined ? `: ${lastRefusal.text}` : '';
  return `refused ${counts.join(', ')}${why}`;
}

/** In UTC, to the second. */
export const time = (at: Instant): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
