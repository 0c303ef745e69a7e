import { recordAt } from '../../../shared/dialects/fields.ts';
import { nameOf } from '../story/news.ts';
import type { Invariant } from './invariant.ts';
import { parsed } from './sight/checkpoint.ts';
import { isDeleting } from './sight/machine.ts';
import { witnessOf } from './sight/witness.ts';

/** Until when a provider wants no call about the end of a server, as one instance knows it. */
interface Wanted {
  generation: number | undefined;
  until: number;
}

/**
 * That holds for every cause of a look. Only the maker of a server that may be unknown asks for its end again and
 * again.
 */
export const providersHaveTheirTime: Invariant = {
  name: 'who was asked for time about the end of a server does not ask for it again before, unless its Machine has changed',
  watch(world, scenario, violated) {
    const { reads } = witnessOf(world, scenario);
    const wanted = new Map<string, Wanted>();
    const makers = new Set<string>();
    return {
      asked({ instance, machine, operation }) {
        const { uid, generation } = machine.metadata;
        const key = `${instance} ${uid}`;
        if (operation === 'create') makers.add(key);
        const known = wanted.get(key);
        if (operation !== 'delete' || makers.has(key) || known === undefined) return;
        wanted.delete(key);
        // Who is suspended sees by its clock alone that time goes by, and takes a jump of it for that.
        if (reads.haveClocksJumped()) return;
        if (known.generation !== generation || world.now() >= known.until) return;
        const seconds = (known.until - world.now()) / 1_000;
        violated(
          `${instance} asks for the end of the server of Machine ${nameOf(machine)} ${seconds} s too early`,
        );
      },
      providerHeard({ instance, machine, operation }, { status, body }) {
        const seconds =
          status === 503 ? Number(recordAt(parsed(body), 'error')['retryAfterSeconds'] ?? 0) : 0;
        if (operation !== 'delete' || !isDeleting(machine) || !(seconds > 0)) return;
        const { uid, generation } = machine.metadata;
        wanted.set(`${instance} ${uid}`, { generation, until: world.now() + seconds * 1_000 });
      },
    };
  },
};
