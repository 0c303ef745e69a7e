import { createTale } from '../story/tale.ts';
import { played, strike, sweeps } from './play.ts';
import type { Story } from './story.ts';
import type { SweepName } from './sweep.ts';
import { wordsOf } from './sweep-story.ts';

/**
 * Plays a story in which the `at`th thing goes wrong, or nothing for 0. Answers with its events. Undefined if there are
 * fewer things.
 */
export async function replayAt(
  story: Story,
  name: SweepName,
  at: number,
): Promise<{ text: string; isWell: boolean } | undefined> {
  const tale = createTale();
  const { points: all, outcome: asItIs } = await played(story, at === 0 ? tale.observers : []);
  const points = all[name];
  const point = points[at - 1];
  if (point === undefined && at > 0) return undefined;
  const outcome = point === undefined ? asItIs : await strike(story, sweeps[name], point, tale.observers);
  const what = point === undefined ? 'as it is' : wordsOf(point);
  const title = `Story ${story.name}, ${name} ${at} of ${points.length}: ${what}`;
  return { text: tale.text(title, outcome), isWell: outcome.violations.length === 0 };
}
