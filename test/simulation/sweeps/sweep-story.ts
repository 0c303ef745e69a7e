import { whyExpected } from './expected.ts';
import type { Found, Report } from './part.ts';
import { played, strike, sweeps } from './play.ts';
import type { Story } from './story.ts';
import type { Point, SweepName } from './sweep.ts';

/** Whether this worker plays a point of a sweep, by its index. */
export type Share = (index: number) => boolean;

/**
 * Plays a story once as it is, and once for each point of its share of the sweeps. If the story violates something as
 * it is, it plays no point.
 */
export async function sweepStory(
  story: Story,
  names: readonly SweepName[],
  isMine: Share,
): Promise<readonly Report[]> {
  const { points, outcome } = await played(story);
  const [violated] = outcome.violations;
  const reports: Report[] = [];
  for (const sweep of names) {
    const about = { story: story.name, sweep };
    if (violated !== undefined) {
      reports.push({ ...about, runs: 0, found: [{ at: 0, what: 'as it is', violated }] });
      continue;
    }
    const found = await struck(story, sweep, points[sweep], isMine);
    reports.push({ ...about, runs: points[sweep].filter((_, index) => isMine(index)).length, found });
  }
  return reports;
}

async function struck(
  story: Story,
  sweep: SweepName,
  points: readonly Point[],
  isMine: Share,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const [index, point] of points.entries()) {
    if (!isMine(index)) continue;
    const [violated] = (await strike(story, sweeps[sweep], point)).violations;
    if (violated !== undefined) found.push(judged(sweep, { at: index + 1, what: wordsOf(point), violated }));
  }
  return found;
}

export const wordsOf = ({ what, way }: Point): string => `${what}, ${way}`;

function judged(name: SweepName, found: Found): Found {
  const because = whyExpected(name, found);
  return because === undefined ? found : { ...found, because };
}
