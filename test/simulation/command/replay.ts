import { chosenFaults } from '../faults/choose.ts';
import { simulate } from '../simulate.ts';
import { createStory } from '../story/story.ts';
import { cast } from '../story/cast.ts';
import { teller } from '../story/teller.ts';
import type { Options } from './options.ts';

/** Plays one seed and answers with its story; `isWell` is false where something was violated. */
export async function replay(
  seed: number,
  options: Pick<Options, 'only' | 'without'>,
): Promise<{ text: string; isWell: boolean }> {
  const story = createStory();
  let scene = '';
  const { violations, steps, seconds } = await simulate(seed, {
    faults: chosenFaults(options),
    always: options.only !== undefined,
    observers: [
      (world, scenario) => {
        scene = cast(world, scenario);
        return {};
      },
      teller(story),
    ],
  });
  const [violated] = violations;
  const end = violated === undefined ? 'Nothing was violated.' : `VIOLATED: ${violated}`;
  const measured = `${steps} events in ${seconds.toFixed(0)} s by its own clock`;
  const text = `Seed ${seed}\n${scene}\n${story.text()}\n${end}\n(${measured})\n`;
  return { text, isWell: violated === undefined };
}
