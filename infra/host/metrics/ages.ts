import type { Clock, Instant, Stopwatch } from '../../../shared/time/clock.ts';

type Labels = Readonly<Record<string, string>>;

interface Since {
  labels: Labels;
  since: Instant;
}

interface Kept extends Since {
  seen: Stopwatch;
}

/** A full sweep comes every three minutes, and may go to another instance. What it no longer sees ends there. */
const keptMilliseconds = 4 * 60_000;

/** What a gauge tells the age of. It is told as long as somebody has seen it lately. */
export class Ages {
  readonly #clock: Pick<Clock, 'now' | 'stopwatch'>;
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Pick<Clock, 'now' | 'stopwatch'>) {
    this.#clock = clock;
  }

  replace(ages: readonly Since[], isWhole: boolean): void {
    if (isWhole) this.#kept.clear();
    const seen = this.#clock.stopwatch();
    for (const each of ages) this.#kept.set(JSON.stringify(each.labels), { ...each, seen });
  }

  /** In seconds, as they are now. */
  readings(): { labels: Labels; value: number }[] {
    const now = this.#clock.now();
    for (const [key, { seen }] of this.#kept) if (seen() > keptMilliseconds) this.#kept.delete(key);
    return [...this.#kept.values()].map(({ labels, since }) => ({
      labels,
      // The clocks of two servers differ.
      value: Math.max(0, now - since) / 1_000,
    }));
  }
}
