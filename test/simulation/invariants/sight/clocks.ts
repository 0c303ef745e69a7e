/** How far an instance's clock is ahead of the world's, in milliseconds, and when it was last seen to be. */
interface Seen {
  ahead: number;
  at: number;
}

/** What the clocks of instances have been seen to show. */
export interface Clocks {
  note(instance: string, now: number, clock: number): void;
  /** Whether one of them was ever wrong. */
  haveJumped(): boolean;
  /**
   * What the instance may have taken for the present when it decided what it does now: its clock may have been set
   * since, right again for one.
   */
  presents(instance: string, now: number): readonly number[];
}

/** No decision is older than this when it is written, unless its instance stands still. */
const rememberedMilliseconds = 60_000;

export function watchClocks(): Clocks {
  const seen = new Map<string, Seen[]>();
  let areWrong = false;
  const lately = (instance: string, now: number): Seen[] =>
    (seen.get(instance) ?? []).filter(({ at }) => now - at <= rememberedMilliseconds);
  return {
    note(instance, now, clock) {
      const ahead = clock - now;
      areWrong ||= ahead !== 0;
      seen.set(instance, [...lately(instance, now).filter((one) => one.ahead !== ahead), { ahead, at: now }]);
    },
    haveJumped: () => areWrong,
    presents(instance, now) {
      const presents = lately(instance, now).map(({ ahead }) => now + ahead);
      return presents.length === 0 ? [now] : presents;
    },
  };
}
