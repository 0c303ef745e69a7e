import { cast } from '../story/cast.ts';
import { createStory } from '../story/story.ts';
import { teller } from '../story/teller.ts';
import { played, strike, sweeps } from './play.ts';
import type { Story } from './story.ts';
import { wordsOf } from './sweep-story.ts';
import type { SweepName } from './sweep.ts';

/**
 * Plays a story in which the `at`th thing goes wrong, or nothing for 0, and answers with what happened in it; undefined
 * where there are not so many things.
 */
export async function replayAt(
  story: Story,
  name: SweepName,
  at: number,
): Promise<{ text: string; isWell: boolean } | undefined> {
  const told = createStory();
  let scene = '';
  const observers: Parameters<typeof played>[1] = [
    (world, scenario) => {
      scene = cast(world, scenario);
      return {};
    },
    teller(told),
  ];
  const { points: all, outcome: asItIs } = await played(story, at === 0 ? observers : []);
  const points = all[name];
  const point = points[at - 1];
  if (point === undefined && at > 0) return undefined;
  const outcome = point === undefined ? asItIs : await strike(story, sweeps[name], point, observers);
  const [violated] = outcome.violations;
  const what = point === undefined ? 'as it is' : wordsOf(point);
  const end = violated === undefined ? 'Nothing was violated.' : `VIOLATED: ${violated}`;
  const text = `Story ${story.name}, ${name} ${at} of ${points.length}: ${what}\n${scene}\n${told.text()}\n${end}\n`;
  return { text, isWell: violated === undefined };
}
