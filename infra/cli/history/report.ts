import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import type { HistoryEntry } from '../../../shared/store/port.ts';
import { compareBytes } from '../../../shared/text/byte-order.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { Paint } from '../../terminal/paint.ts';
import { duration, printable } from '../../terminal/words.ts';
import { columns } from '../plan/columns.ts';
import type { Found } from './found.ts';
import { podRow, saying, time } from './rows.ts';

/** The histories for people to read, one after the other. */
export const historyLines = (found: readonly Found[], paint: Paint): string[] =>
  found.flatMap((one, index) => [...(index === 0 ? [] : ['']), ...linesOf(one, paint)]);

/** Machines of one name are told apart by UID and time. */
function linesOf({ machine, entries, pods }: Found, paint: Paint): string[] {
  const { apiVersion, namespace, name, uid } = machine;
  const title = printable(`Machine ${namespace}/${name} of ${apiVersion}, UID ${uid}`);
  return [
    paint('bold', title),
    ...headOf(entries).map((line) => paint('dim', `  ${printable(line)}`)),
    ...indented('', entryRows(entries)),
    ...(pods.length === 0 ? [] : [paint('bold', '  Pods that were to go')]),
    ...indented('  ', pods.toSorted(byTime).map(podRow)),
  ];
}

const indented = (by: string, rows: readonly (readonly string[])[]): string[] =>
  columns(rows).map((line) => `  ${by}${line}`);

/** From when to when, where, and by whom. What is under way has no end. */
function headOf(entries: readonly HistoryEntry[]): string[] {
  const times = entries.map(({ at }) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  if (entries.length === 0) return [];
  const end = entries.findLast(({ what }) => what === 'completed');
  const nodes = unique(entries.map(({ node }) => node));
  return [
    end !== undefined
      ? `from ${time(first)} to ${time(end.at)} UTC, ${duration(end.at - first)}, to its end`
      : `since ${time(first)} UTC, no end is known; the last entry is of ${time(last)} UTC`,
    [...nodes.map((node) => `Node ${node}`), `told by ${writersOf(entries).join(', ')}`].join(', '),
  ];
}

const unique = (names: readonly (string | undefined)[]): string[] => [
  ...new Set(names.filter((name) => name !== undefined)),
];

const writersOf = (entries: readonly HistoryEntry[]): string[] => unique(entries.map(({ by }) => by));

/** Who decided is said with each entry where there were several. */
function entryRows(entries: readonly HistoryEntry[]): string[][] {
  const areMany = writersOf(entries).length > 1;
  return entries.map((entry) => [
    time(entry.at),
    entry.phase,
    entry.what,
    ...(areMany ? [entry.by] : []),
    saying(entry),
  ]);
}

const byTime = (one: PodRecord, other: PodRecord): number =>
  one.firstAttempt - other.firstAttempt || compareBytes(one.name, other.name);

/** One history with times that people read. */
export const asJson = ({ machine, entries, pods }: Found): object => ({
  machine,
  entries: entries.map(({ at, ...entry }) => ({ at: timestamp(at), ...entry })),
  pods: pods.map(podAsJson),
});

/** One Pod's record with times that people read. */
export const podAsJson = ({ firstAttempt, lastAttempt, notBefore, ...pod }: PodRecord): object => ({
  ...pod,
  firstAttempt: timestamp(firstAttempt),
  lastAttempt: timestamp(lastAttempt),
  ...(notBefore !== undefined && { notBefore: timestamp(notBefore) }),
});

const timestamp = (at: Instant): string => new Date(at).toISOString();
