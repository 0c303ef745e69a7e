import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import type { Tried } from '../../../shared/explain/explanation.ts';
import { cut } from '../../../shared/text/truncate.ts';
import type { Paint } from '../../terminal/paint.ts';
import { counted } from '../../terminal/words.ts';
import { saying, time, triesRow } from '../history/rows.ts';
import { columns } from '../plan/columns.ts';

const shownTries = 5;
const shownPods = 3;

/** As much as two lines of a terminal hold. */
const longest = 160;

/** What was tried last, and the Pods that were refused last: both fit on the screen, -o json has all. */
export function triedLines(tried: readonly Tried[], pods: readonly PodRecord[], paint: Paint): string[] {
  const refused = pods
    .filter(({ outcome }) => outcome === 'refused')
    .toSorted((one, other) => one.lastAttempt - other.lastAttempt);
  const last = tried.slice(-shownTries);
  const isAll = last.length === tried.length && refused.length <= shownPods;
  return [
    paint('bold', 'What was tried'),
    ...(tried.length + pods.length === 0 ? ['  the history has nothing of it'] : []),
    ...rows(last.map(tryRow)),
    // The causes have the budget's words already.
    ...rows(refused.slice(-shownPods).map(triesRow)),
    ...(isAll ? [] : [paint('dim', `  the last of ${countsOf(tried, refused)}: phaseout history has all`)]),
  ];
}

const rows = (cells: readonly (readonly string[])[]): string[] =>
  columns(cells).map((line) => `  ${cut(line, longest)}`);

const tryRow = ({ at, phase, what, reason, message }: Tried): string[] => [
  time(Date.parse(at)),
  phase,
  what,
  saying({ what, reason, message }),
];

const countsOf = (tried: readonly Tried[], refused: readonly PodRecord[]): string =>
  [
    counted(tried.length, 'entry', 'entries'),
    ...(refused.length > shownPods ? [counted(refused.length, 'refused Pod')] : []),
  ].join(' and ');
