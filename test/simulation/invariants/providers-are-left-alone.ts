import { nameOf } from '../story/news.ts';
import type { Invariant } from './invariant.ts';
import { isDeleting } from './sight/machine.ts';
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

/** Whoever else asks, or had been told to, has a time of its own; what is lost of the store is not known any more. */
const excusing = /^(store-|clock-|upgrade|ticks-|all-instances|several|ended|crash|paused)/;

export const providersAreLeftAlone: Invariant = {
  name: 'who was asked for time by a provider does not ask it again about a living Machine before, unless it has changed',
  watch(world, _scenario, violated) {
    const wanted = new Map<string, Wanted>();
    return {
      hit(fault) {
        if (excusing.test(fault)) wanted.clear();
      },
      asked({ instance, machine }) {
        const { uid = '' } = machine.metadata;
        const known = wanted.get(uid);
        wanted.delete(uid);
        if (known === undefined || isDeleting(machine) || known.instance !== instance) return;
        if (known.wish !== wishOf(machine) || world.now() >= known.until) return;
        if (world.now() - known.since < sideBySideMilliseconds) return;
        const seconds = (known.until - world.now()) / 1_000;
        violated(`${instance} asks about Machine ${nameOf(machine)} ${seconds} s too early`);
      },
      providerHeard({ instance, machine }, { status, headers }) {
        const seconds = status === 503 ? Number(headers['retry-after'] ?? 0) : 0;
        if (seconds === 0 || isDeleting(machine)) return;
        const since = world.now();
        const until = since + (seconds - 1) * 1_000;
        wanted.set(machine.metadata.uid ?? '', { instance, wish: wishOf(machine), since, until });
      },
    };
  },
};
