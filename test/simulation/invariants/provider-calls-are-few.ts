import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { nameOf } from '../story/news.ts';
import type { Invariant } from './invariant.ts';
import { fewestLooking, secondsBetweenLooks } from './requests-are-few.ts';
import { isDeleting } from './sight/machine.ts';
import { wishOf } from './sight/wish.ts';

/** Of each instance in the first minute: a dozen looks, each of them a delete and a question. */
const atFirst = 24;
/** After each thing that goes wrong it is asked again soon at first. */
const perStrike = 5;

/** What a change of a living Machine may cost each instance: finalizer and owner are written on the way. */
const perWish = 6;

/** Counted at every so many calls. */
const lookedAt = 12;

interface Account {
  since: number;
  calls: number;
  /** Of a living Machine what it asked for last, and how often that has changed. */
  wish: string;
  wishes: number;
  /** Answers that asked to be asked again, when they said. */
  wanted: number;
}

export const providerCallsAreFew: Invariant = {
  name: 'a provider is asked about a server ever more slowly, or when it says, or where its Machine has changed',
  watch(world, _scenario, violated) {
    const accounts = new Map<string, Account>();
    let strikes = 0;
    /** One while it lives, another one while it goes. */
    const accountOf = (machine: KubeObject): Account => {
      const key = `${machine.metadata.uid} ${isDeleting(machine)}`;
      const known = accounts.get(key) ?? { since: world.now(), calls: 0, wish: '', wishes: 0, wanted: 0 };
      accounts.set(key, known);
      return known;
    };
    return {
      hit() {
        strikes += 1;
      },
      asked({ machine }) {
        const account = accountOf(machine);
        const wish = isDeleting(machine) ? '' : wishOf(machine);
        if (wish !== account.wish) account.wishes += 1;
        account.wish = wish;
        account.calls += 1;
        const looking = Math.max(fewestLooking, world.instances().length);
        const later = (world.now() - account.since) / 1_000 / secondsBetweenLooks;
        const before = isDeleting(machine) ? atFirst : perWish * account.wishes;
        const asked = looking * (before + later);
        const allowed = asked + account.wanted + perStrike * strikes;
        if (account.calls > allowed && account.calls % lookedAt === 0)
          violated(`${account.calls} calls about the server of Machine ${nameOf(machine)}`);
      },
      provider({ machine }, answer) {
        const isWanted = answer !== undefined && (answer.kind === 'retry' || 'retryAfterSeconds' in answer);
        if (isWanted) accountOf(machine).wanted += 1;
      },
    };
  },
};
