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
   * What the instance may take for the present: its clock may have been set right again between the moment at which
   * something was decided and the moment at which it is written.
   */
  farthest(instance: string, now: number): number;
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
    farthest(instance, now) {
      const [first, ...others] = lately(instance, now).map(({ ahead }) => ahead);
      return first === undefined ? now : now + Math.max(first, ...others);
    },
  };
}
