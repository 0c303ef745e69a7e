import { type Clock, pause } from '../time/clock.ts';

const maxTries = 5;
const pauseMilliseconds = 5_000;

/** Tries a few times, for what no later step repeats. Returns the answer of the last try. */
export async function retry<T>(
  clock: Clock,
  attempt: () => Promise<T>,
  isEnough: (answer: T) => boolean,
): Promise<T> {
  let answer = await attempt();
  for (let tries = 1; tries < maxTries && !isEnough(answer); tries += 1) {
    await pause(clock, pauseMilliseconds);
    answer = await attempt();
  }
  return answer;
}
