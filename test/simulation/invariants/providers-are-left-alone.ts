import { nameOf } from '../story/news.ts';
import type { Invariant } from './invariant.ts';
import { isDeleting } from './sight/machine.ts';
import { watchTrouble } from './sight/trouble.ts';
import { wishOf } from './sight/wish.ts';

/** Until when a provider wants to be left alone about what a living Machine asks for. */
interface Wanted {
  instance: string;
  wish: string;
  since: number;
  until: number;
}

/** Two sweeps that take the same look side by side ask one after the other. */
const sideBySideMilliseconds = 4_000;

export const providersAreLeftAlone: Invariant = {
  name: 'who was asked for time by a provider does not ask it again about a living Machine before, unless it has changed, as long as nothing goes wrong',
  watch(world, _scenario, violated) {
    const wanted = new Map<string, Wanted>();
    // What hung is done late, and what the store has lost is not known any more.
    const trouble = watchTrouble(world, () => wanted.clear());
    return {
      hit: trouble.hit,
      calm: trouble.calm,
      asked({ instance, machine, operation }) {
        const { uid = '' } = machine.metadata;
        const known = wanted.get(uid);
        wanted.delete(uid);
        if (known === undefined || known.instance !== instance) return;
        if (operation === 'delete' || isDeleting(machine)) return;
        if (known.wish !== wishOf(machine) || world.now() >= known.until) return;
        if (world.now() - known.since < sideBySideMilliseconds) return;
        const seconds = (known.until - world.now()) / 1_000;
        violated(`${instance} asks about Machine ${nameOf(machine)} ${seconds} s too early`);
      },
      providerHeard({ instance, machine, operation }, { status, headers }) {
        const seconds = status === 503 ? Number(headers['retry-after'] ?? 0) : 0;
        if (!trouble.isOver() || seconds === 0 || operation === 'delete' || isDeleting(machine)) return;
        const since = world.now();
        const until = since + (seconds - 1) * 1_000;
        wanted.set(machine.metadata.uid ?? '', { instance, wish: wishOf(machine), since, until });
      },
    };
  },
};
