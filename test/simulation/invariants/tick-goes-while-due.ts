import { usualTicks } from '../platform/declared.ts';
import { doesTickGo } from '../platform/resting-tick.ts';
import type { Invariant } from './invariant.ts';
import { atTheEnd } from './sight/at-the-end.ts';
import { looksIn } from './sight/on-record.ts';
import { watchTrouble } from './sight/trouble.ts';

/** An instance that sets a look starts the tick next. */
const atOnceMilliseconds = 5_000;
/** How long an instance believes that the tick goes, while another one may have put it to rest. */
const believedMilliseconds = 60_000;

/**
 * While the tick rests, nothing asks for due looks. Only the sweep of all makes up for lost events. A tick with nothing
 * to ask for keeps an instance up for nothing.
 */
export const tickGoesWhileDue: Invariant = {
  name: 'the tick that may rest goes while a look is due, and rests when there is none',
  watch(world, scenario, violated) {
    const { allMinutes = usualTicks.allMinutes } = scenario.world;
    const sweep = allMinutes * 60_000;
    const trouble = watchTrouble(world);
    let isAlone = true;
    let isQuiet = false;
    /** Whether anything was to be asked for by then, or since: it rests with the next sweep of all. */
    let wasLooked = false;
    const overdue = (milliseconds: number): string | undefined =>
      looksIn(world).find(({ at }) => world.now() - at > milliseconds)?.machineUid;
    const end = atTheEnd(world, () => {
      if (trouble.isOver() && !wasLooked && looksIn(world).length === 0 && doesTickGo(world) === true)
        violated('it goes, and nothing is left to ask for');
    });
    return {
      ...end,
      quiet() {
        end.quiet();
        isQuiet = true;
        wasLooked = looksIn(world).length > 0;
      },
      hit: trouble.hit,
      calm: trouble.calm,
      event() {
        if (isQuiet) wasLooked ||= looksIn(world).length > 0;
        if (!trouble.isOver() || doesTickGo(world) !== false) return;
        isAlone &&= world.instances().length <= 1 && !trouble.hasBeen();
        const uid = overdue(isAlone ? atOnceMilliseconds : sweep + believedMilliseconds + atOnceMilliseconds);
        if (uid !== undefined) violated(`it rests, and the look at Machine ${uid} is due`);
      },
    };
  },
};
