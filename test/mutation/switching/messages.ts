/** The messages between Stryker's process and the thread that keeps the tests loaded. */

/** Runs the named tests under a mutant until one of them notices it. */
export interface Trial {
  kind: 'try';
  mutant: string;
  tests: readonly string[];
  /** The mutated place was passed so often without a mutant that more than this is a loop without end. */
  hitLimit: number;
}

export type Order = { kind: 'measure' } | Trial | { kind: 'close' };

/** By the mutant's id, how often its place was passed. */
export type Hits = Record<string, number>;

export interface Measured {
  kind: 'measured';
  tests: readonly { id: string; file: string; milliseconds: number; failure?: string }[];
  coverage: { static: Hits; perTest: Record<string, Hits> };
}

export type Outcome =
  | { kind: 'survived' }
  | { kind: 'endless' }
  | { kind: 'killed'; by: string; failure: string };

export interface Tried {
  kind: 'tried';
  ran: number;
  outcome: Outcome;
}

export type Reply = { kind: 'loaded' } | { kind: 'failed'; message: string } | Measured | Tried;
