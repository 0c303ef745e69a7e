import type { Random } from '../random.ts';
import type { Scenario } from '../scenario/model.ts';
import type { World } from '../world.ts';

/** One kind of thing that goes wrong, with a switch of its own. */
export interface Fault {
  /** The switch, such as `answer-lost`. */
  name: string;
  /** One sentence for people. */
  about: string;
  /**
   * It strikes in at least this share of the seeds that have any faults. It is for a fault that finds little to strike
   * where much else goes wrong.
   */
  often?: number;
  /**
   * Goes wrong from now until the calm, when and how often `random` decides. Each time it strikes it calls `world.hit`
   * and `world.say`. If it leaves something broken, it returns what mends that.
   */
  strike(setting: FaultSetting): (() => void) | undefined;
}

export interface FaultSetting {
  world: World;
  scenario: Scenario;
  random: Random;
  /** Milliseconds from now until the calm. */
  lasts: number;
}
