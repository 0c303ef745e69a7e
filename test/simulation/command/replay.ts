import { chosenFaults } from '../faults/choose.ts';
import { simulate } from '../simulate.ts';
import { createTale } from '../story/tale.ts';
import type { ReplayOptions } from './options.ts';

/** Plays one seed and answers with its story; `isWell` is false where something was violated. */
export async function replay(
  seed: number,
  options: ReplayOptions,
): Promise<{ text: string; isWell: boolean }> {
  const tale = createTale();
  const outcome = await simulate(seed, {
    faults: chosenFaults(options),
    always: options.only !== undefined,
    beside: options.beside ?? 'some',
    observers: tale.observers,
  });
  return { text: tale.text(`Seed ${seed}`, outcome), isWell: outcome.violations.length === 0 };
}
