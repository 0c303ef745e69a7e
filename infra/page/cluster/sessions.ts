import type { Clock, Stopwatch } from '../../../shared/time/clock.ts';
import { isSecret, newSecret } from '../server/secret.ts';
import type { May } from './rights.ts';

/** Somebody who has given a token. */
export interface Session {
  key: string;
  may: May;
}

interface Kept extends Session {
  token: string;
  age: Stopwatch;
  reviewed: Stopwatch;
}

export interface SessionsOptions {
  clock: Pick<Clock, 'stopwatch'>;
  /** What the user of a token may do; undefined where the token is no good. Throws Unavailable. */
  rightsBy: (token: string) => Promise<May | undefined>;
}

const longestMilliseconds = 3_600_000;
/** A token that is taken back, or whose Pod has gone, is of no use after so long. */
export const reviewedMilliseconds = 60_000;
const maxSessions = 1_000;

/** Who is there, in the memory of this process: a token is written nowhere. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** For a token that is good; answers with what the browser has to show from now on. */
  async open(token: string): Promise<{ cookie: string; key: string } | undefined> {
    const may = await this.#options.rightsBy(token);
    if (may === undefined) return undefined;
    const { clock } = this.#options;
    const [cookie, key] = [newSecret(), newSecret()];
    this.#kept.set(cookie, { key, may, token, age: clock.stopwatch(), reviewed: clock.stopwatch() });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxSessions && oldest !== undefined) this.#kept.delete(oldest);
    return { cookie, key };
  }

  /** Undefined where there is none, or its time is over, or its token is no good any more. Throws Unavailable. */
  async find(cookie: string | undefined, key: string | undefined): Promise<Session | undefined> {
    const kept = this.#kept.get(cookie ?? '');
    if (cookie === undefined || kept === undefined || !isSecret(key, kept.key)) return undefined;
    if (kept.age() < longestMilliseconds && (await this.#isGood(kept))) return kept;
    this.#kept.delete(cookie);
    return undefined;
  }

  async #isGood(kept: Kept): Promise<boolean> {
    if (kept.reviewed() < reviewedMilliseconds) return true;
    if ((await this.#options.rightsBy(kept.token)) === undefined) return false;
    kept.reviewed = this.#options.clock.stopwatch();
    return true;
  }
}
