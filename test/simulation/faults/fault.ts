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
   * In this share of seeds at least, other than those in which nothing goes wrong: for what seldom finds anything to
   * strike where much else goes wrong.
   */
  often?: number;
  /**
   * Goes wrong from now until the calm, when and how often `random` says; each time it strikes it tells the world
   * (`world.hit`, `world.say`). Where it leaves something broken it answers with what mends that.
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
