import { whyExpected } from './expected.ts';
import type { Found, Report } from './part.ts';
import { played, strike, sweeps } from './play.ts';
import type { Story } from './story.ts';
import type { Point, SweepName } from './sweep.ts';

/** Whether a point of a sweep is to be played, by its index. */
export type Share = (index: number) => boolean;

/** Plays a story once as it is, and once for each point of the sweep that falls into the share. */
export async function sweepStory(story: Story, name: SweepName, isMine: Share): Promise<Report> {
  const { points, outcome } = await played(story, sweeps[name]);
  const [violated] = outcome.violations;
  if (violated !== undefined)
    return { story: story.name, sweep: name, runs: 1, found: [{ at: 0, what: 'as it is', violated }] };
  const report: Report = { story: story.name, sweep: name, runs: 0, found: [] };
  for (const [index, point] of points.entries()) {
    if (!isMine(index)) continue;
    const [first] = (await strike(story, sweeps[name], point)).violations;
    report.runs += 1;
    if (first !== undefined)
      report.found.push(judged(name, { at: index + 1, what: wordsOf(point), violated: first }));
  }
  return report;
}

export const wordsOf = ({ what, way }: Point): string => `${what}, ${way}`;

function judged(name: SweepName, found: Found): Found {
  const because = whyExpected(name, found);
  return because === undefined ? found : { ...found, because };
}
