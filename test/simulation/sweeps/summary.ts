import type { Found, Report } from './part.ts';
import type { SweepName } from './sweep.ts';

/** What has been found in one story by one sweep. */
export interface Finding extends Found {
  story: string;
  sweep: SweepName;
}

export const findingsOf = ({ story, sweep, found }: Report): Finding[] =>
  found.map((each) => ({ ...each, story, sweep }));

export const isUnexpected = ({ because }: Found): boolean => because === undefined;

/** What was struck, what came of it, and how to see it again. */
export const findingText = ({ story, sweep, at, what, violated }: Finding): string =>
  `${story}: ${what}\n  ${violated}\n  ${replayOf({ story, sweep, at })}\n`;

const replayOf = ({ story, sweep, at }: Pick<Finding, 'story' | 'sweep' | 'at'>): string =>
  `npm run simulate -- --sweep ${sweep} --story ${story} --at ${at}`;

/** How many runs there were of each story and sweep, what was expected to be found, and what was not. */
export function sweepSummary(reports: readonly Report[]): string {
  const findings = reports.flatMap(findingsOf);
  const reasons = Map.groupBy(findings, ({ because }) => because);
  const expected = [...reasons].flatMap(([because, all]) =>
    because === undefined ? [] : [`${String(all.length).padStart(5)}  ${because}`],
  );
  const bad = findings.filter(isUnexpected).length;
  return [
    'Runs by story and sweep:',
    runsTable(reports),
    ...(expected.length === 0 ? [] : ['', 'Found, and known to be beyond anybody:', ...expected]),
    '',
    bad === 0
      ? `Nothing${expected.length === 0 ? '' : ' else'} was violated.`
      : `VIOLATED in ${bad} of them.`,
    '',
  ].join('\n');
}

function runsTable(reports: readonly Report[]): string {
  const sweeps = [...new Set(reports.map(({ sweep }) => sweep))];
  const stories = [...Map.groupBy(reports, ({ story }) => story)];
  const width = Math.max(5, ...stories.map(([story]) => story.length));
  const row = (name: string, cells: readonly (string | number)[]): string =>
    [name.padEnd(width), ...cells.map((cell) => String(cell).padStart(7))].join('  ');
  return [
    row('story', sweeps),
    ...stories.map(([story, all]) =>
      row(
        story,
        sweeps.map((name) => runsOf(all, name)),
      ),
    ),
    row(
      'all',
      sweeps.map((name) => runsOf(reports, name)),
    ),
  ].join('\n');
}

const runsOf = (reports: readonly Report[], name: SweepName): number =>
  reports.filter(({ sweep }) => sweep === name).reduce((sum, { runs }) => sum + runs, 0);
