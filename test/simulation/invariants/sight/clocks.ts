/** How far an instance's clock was ahead of the world's, and how long it was awake by then. Both in milliseconds. */
interface Seen {
  ahead: number;
  awake: number;
}

/** When something is, by the world's clock, and how long the instance has been awake by then. */
interface Present {
  at: number;
  awake: number;
}

/** What the clocks of instances have been seen to show. */
export interface Clocks {
  note(instance: string, now: Present, clock: number): void;
  /** Whether one of them was ever wrong. */
  haveJumped(): boolean;
  /**
   * The times that the instance may have taken for the present when it decided this. Its clock may have changed since,
   * back to the right time for example.
   */
  presents(instance: string, now: Present): readonly number[];
}

/** No decision is older than this when it is written, by the time that its instance is awake. */
const rememberedMilliseconds = 60_000;

export function watchClocks(): Clocks {
  const seen = new Map<string, Seen[]>();
  let areWrong = false;
  const lately = (instance: string, now: Present): Seen[] =>
    (seen.get(instance) ?? []).filter(({ awake }) => now.awake - awake <= rememberedMilliseconds);
  return {
    note(instance, now, clock) {
      const ahead = clock - now.at;
      const { awake } = now;
      areWrong ||= ahead !== 0;
      seen.set(instance, [...lately(instance, now).filter((one) => one.ahead !== ahead), { ahead, awake }]);
    },
    haveJumped: () => areWrong,
    presents(instance, now) {
      const presents = lately(instance, now).map(({ ahead }) => now.at + ahead);
      return presents.length === 0 ? [now.at] : presents;
    },
  };
}
