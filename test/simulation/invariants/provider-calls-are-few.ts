import { nameOf } from '../story/news.ts';
import type { Invariant } from './invariant.ts';
import { fewestLooking, secondsBetweenLooks } from './requests-are-few.ts';
import { isDeleting } from './sight/machine.ts';

/** Of each instance in the first minute: a dozen looks, each of them a delete and a question. */
const atFirst = 24;
/** After each thing that goes wrong it is asked again soon at first. */
const perStrike = 5;

interface Account {
  since: number;
  calls: number;
  /** Answers that asked to be asked again, when they said. */
  wanted: number;
}

export const providerCallsAreFew: Invariant = {
  name: 'a provider is asked about a server that goes ever more slowly, or when it says',
  watch(world, _scenario, violated) {
    const accounts = new Map<string, Account>();
    let strikes = 0;
    const accountOf = (uid: string): Account => {
      const known = accounts.get(uid) ?? { since: world.now(), calls: 0, wanted: 0 };
      accounts.set(uid, known);
      return known;
    };
    return {
      hit() {
        strikes += 1;
      },
      asked({ machine }) {
        if (!isDeleting(machine)) return;
        const account = accountOf(machine.metadata.uid ?? '');
        account.calls += 1;
        const looking = Math.max(fewestLooking, world.instances().length);
        const later = (world.now() - account.since) / 1_000 / secondsBetweenLooks;
        const allowed = looking * (atFirst + later) + account.wanted + perStrike * strikes;
        if (account.calls > allowed && account.calls % atFirst === 0)
          violated(`${account.calls} calls about the server of Machine ${nameOf(machine)}`);
      },
      provider({ machine }, answer) {
        const isWanted = answer !== undefined && (answer.kind === 'retry' || 'retryAfterSeconds' in answer);
        if (isWanted) accountOf(machine.metadata.uid ?? '').wanted += 1;
      },
    };
  },
};
