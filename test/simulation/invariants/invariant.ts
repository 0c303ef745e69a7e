import type { Observer } from '../observer.ts';
import type { Scenario } from '../scenario/model.ts';
import type { World } from '../world.ts';

/** Something that is always so. */
export interface Invariant {
  /** A sentence, as it stands in reports: `a Pod is evicted once`. */
  name: string;
  /** Watches a world; `violated` is called with what must not be. */
  watch(world: World, scenario: Scenario, violated: (what: string) => void): Observer;
}
