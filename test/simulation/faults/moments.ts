import type { FaultSetting } from './fault.ts';
import { isCheckpoint, isOfInstance } from './instances/effects.ts';

/**
 * Acts up to so many times before the calm. A moment is at any time, at a request of an instance, or right after a
 * checkpoint. The last gives each phase its share, however short it is.
 */
export function atMoments({ world, random, lasts }: FaultSetting, most: number, act: () => void): void {
  const requests = new Set<number>();
  const records = new Set<number>();
  const afterRecord = random.fork('after a record');
  const calm = world.now() + lasts;
  for (let count = random.between(1, most); count > 0; count -= 1)
    if (random.chance(0.5)) world.scheduler.after(random.between(0, lasts - 1), act);
    else if (afterRecord.chance(0.5)) records.add(afterRecord.between(1, afterRecord.oneOf([5, 12])));
    else requests.add(random.between(1, random.oneOf([10, 40, 160])));
  let [asked, recorded] = [0, 0];
  world.meddlers.onRequest((exchange) => {
    if (!isOfInstance(exchange)) return undefined;
    asked += 1;
    if (requests.has(asked)) world.scheduler.after(0, act);
    if (!isCheckpoint(exchange)) return undefined;
    recorded += 1;
    if (!records.has(recorded)) return undefined;
    const milliseconds = Math.min(afterRecord.between(0, 500), calm - world.now());
    world.scheduler.after(milliseconds, act);
    return undefined;
  });
}
