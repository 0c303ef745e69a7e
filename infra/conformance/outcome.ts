/** What came of one check. */
export type Outcome =
  | { kind: 'passed' }
  | { kind: 'failed'; expected: string; answered: string }
  /** Passed, with something that the author may want to know. */
  | { kind: 'noted'; note: string }
  | { kind: 'skipped'; why: string };

/** One check and what came of it. */
export interface Result {
  /** What the check is about. */
  section: string;
  name: string;
  outcome: Outcome;
}

/** What was asked does not keep to the contract here. */
export const hasFailed = ({ outcome }: Result): boolean => outcome.kind === 'failed';

/** Nothing failed. What was skipped is shown, and left to the reader. */
export const conforms = (results: readonly Result[]): boolean => !results.some(hasFailed);

/** What was asked did otherwise than the contract says. */
export class Unmet extends Error {
  readonly expected: string;
  readonly answered: string;

  constructor(expected: string, answered: string) {
    super(`expected ${expected}, answered ${answered}`);
    this.name = 'Unmet';
    this.expected = expected;
    this.answered = answered;
  }
}

/** The outcome of one check. Nothing said means passed. A defect of ours is thrown on. */
export async function outcomeOf(check: () => Promise<Outcome | void>): Promise<Outcome> {
  try {
    return (await check()) ?? { kind: 'passed' };
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    return { kind: 'failed', expected: error.expected, answered: error.answered };
  }
}
