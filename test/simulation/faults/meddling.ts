import type { World } from '../world.ts';
import type { Fault, FaultSetting } from './fault.ts';
import { anyCourse, type Course, spells } from './spells.ts';

/** A fault that decides, each time that something is asked or sent, what becomes of it. */
export interface MeddlingFault<What, Fate> {
  name: string;
  about: string;
  /** Who it is that fails, for the story. */
  who: string;
  /** Every course unless given. */
  courses?: readonly Course[];
  /** Whether this may go wrong in this way. */
  fits: (what: What, setting: FaultSetting) => boolean;
  /** Decided once for each time that it strikes. */
  fate: (what: What, setting: FaultSetting) => Fate;
  /** The line of the story when it begins to strike. */
  says: (what: What) => string;
  /** Whom it strikes; all of them unless given. */
  instance?: (what: What) => string | undefined;
  /** Phases that it strikes, where it strikes none of an instance. */
  phases?: (what: What) => readonly string[] | undefined;
  /**
   * A word for things of the same kind. In some runs it strikes only one kind: a constant failure shows more than
   * scattered ones.
   */
  kind?: (what: What) => string;
}

type Add<What, Fate> = (world: World) => (meddler: (what: What) => Fate | undefined) => unknown;

/** Takes hold where `add` says, in the spells of one of its courses. */
export function meddlingFault<What, Fate>(add: Add<What, Fate>, given: MeddlingFault<What, Fate>): Fault {
  const { name, about, who, courses = anyCourse, fits, fate, says } = given;
  return {
    name,
    about,
    strike(setting) {
      const { world, random, lasts } = setting;
      const began = world.now();
      const spellAt = spells(random, lasts, courses);
      const isMeant = chosenKind(given, setting);
      let told: unknown;
      add(world)((what) => {
        if (!fits(what, setting) || !isMeant(what)) return undefined;
        const spell = spellAt(world.now() - began);
        if (spell === undefined || !random.chance(spell.share)) return undefined;
        if (told !== spell) world.say(who, says(what));
        told = spell;
        world.hit(name, given.instance?.(what), given.phases?.(what));
        return fate(what, setting);
      });
      return undefined;
    },
  };
}

/**
 * In half of all runs it strikes everything that fits. Otherwise it strikes one kind: that of one of the first
 * occasions, or one of the first kinds. Then a request that a deletion sends once fails as often as one that it sends
 * all the time.
 */
function chosenKind<What, Fate>({ kind }: MeddlingFault<What, Fate>, { random }: FaultSetting) {
  const byKinds = random.fork('by kinds');
  const seen = byKinds.chance(0.5) ? new Set<string>() : undefined;
  const nth = random.chance(0.5) ? random.between(1, random.oneOf([3, 15, 40])) : 0;
  let left = nth > 0 && seen !== undefined ? byKinds.between(1, byKinds.oneOf([5, 20])) : nth;
  let chosen: string | undefined;
  return (what: What): boolean => {
    if (kind === undefined || (left === 0 && chosen === undefined)) return true;
    const own = kind(what);
    if (chosen === undefined && seen?.has(own) !== true) {
      seen?.add(own);
      left -= 1;
      if (left === 0) chosen = own;
    }
    return chosen === own;
  };
}
