import type { Exhibit } from './exhibit.ts';
import { controlPlane } from './exhibits/control-plane.ts';
import { course } from './exhibits/course.ts';
import { evictions } from './exhibits/evictions.ts';
import { hooksAndFinalizers } from './exhibits/hooks-and-finalizers.ts';
import { node } from './exhibits/node.ts';
import { pods } from './exhibits/pods.ts';
import { readings } from './exhibits/readings.ts';
import { volumes } from './exhibits/volumes.ts';
import { waits } from './exhibits/waits.ts';

const groups = [course, pods, evictions, volumes, hooksAndFinalizers, node, controlPlane, readings, waits];

/** All of them, by number. */
export const exhibits: readonly Exhibit[] = groups.flat().toSorted((a, b) => a.number - b.number);

/** The exhibit of a number, as people write it. Throws a RangeError where there is none. */
export function exhibitOf(number: string): Exhibit {
  const found = exhibits.find((exhibit) => String(exhibit.number) === number);
  if (found === undefined)
    throw new RangeError(`there is no exhibit "${number}"; --list names those that there are`);
  return found;
}
