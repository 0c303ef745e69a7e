import { usualTicks } from '../platform/declared.ts';
import { isOnlyWatching } from '../scenario/beside.ts';
import type { Invariant } from './invariant.ts';
import { atTheEnd } from './sight/at-the-end.ts';
import { factOf } from './sight/fact.ts';
import { whyTheirs } from './sight/held-back.ts';
import { isDeleting, machineIn, titleOf } from './sight/machine.ts';
import { witnessOf } from './sight/witness.ts';

/** For what a sweep of all finds. */
const lookMilliseconds = 60_000;

/** Phaseout writes nothing on such a Machine. Without a report of its end, a user takes it for stuck. */
export const watchedEndsAreTold: Invariant = {
  name: 'where phaseout only watches it tells the end of each deletion that it had time to see in the calm',
  watch(world, scenario, violated) {
    if (!isOnlyWatching(scenario.world.config)) return {};
    const { present } = witnessOf(world, scenario).past;
    const { allMinutes = usualTicks.allMinutes } = scenario.world;
    /** By UID: which Machine, and since when it was there for anybody to see. */
    const seen = new Map<string, { title: string; since: number; until: number }>();
    const told = new Set<string>();
    let isCalm = false;
    const look = (): void => {
      for (const plan of isCalm ? scenario.machines : []) {
        const machine = machineIn(present, plan);
        if (machine === undefined || !isDeleting(machine) || whyTheirs(machine, world.config)) continue;
        const { uid = '' } = machine.metadata;
        const { since = world.now() } = seen.get(uid) ?? {};
        seen.set(uid, { title: titleOf(plan), since, until: world.now() });
      }
    };
    return {
      calm() {
        isCalm = true;
        look();
      },
      event(event) {
        look();
        const fact = factOf(event);
        if (fact?.kind === 'deletion.completed') told.add(fact.uid);
      },
      ...atTheEnd(world, () => {
        const enough = allMinutes * 60_000 + lookMilliseconds;
        for (const [uid, { title, since, until }] of seen)
          if (until - since >= enough && !told.has(uid)) violated(`that of ${title} is not told`);
      }),
    };
  },
};
