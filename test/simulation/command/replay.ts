import { withDeployments } from '../blocked-drains/play.ts';
import { chosenFaults } from '../faults/choose.ts';
import { simulate } from '../simulate.ts';
import { createTale } from '../story/tale.ts';
import type { ReplayOptions } from './options.ts';

/** Plays one seed and answers with its story; `isWell` is false where something was violated. */
export async function replay(
  seed: number,
  options: ReplayOptions,
): Promise<{ text: string; isWell: boolean }> {
  const { beside = 'some' } = options;
  const tale = createTale();
  const outcome = await simulate(seed, {
    faults: chosenFaults(options),
    always: options.only !== undefined,
    ...(options.deployments === true ? withDeployments(beside) : { beside }),
    observers: tale.observers,
  });
  return { text: tale.text(`Seed ${seed}`, outcome), isWell: outcome.violations.length === 0 };
}
