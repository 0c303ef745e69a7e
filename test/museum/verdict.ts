/** What became of one test file. */
export interface Outcome {
  /** Names of the errors outside of tests: the file, or what it imports, did not even load. */
  errors: readonly string[];
  failed: readonly FailedTest[];
}

interface FailedTest {
  /** With the names of the groups that it is in. */
  name: string;
  /** Names of its errors. */
  errors: readonly string[];
}

export type Verdict =
  | { kind: 'caught'; by: string[] }
  | { kind: 'missed' }
  /** The change is no mistake that anybody could make unnoticed: the code does not even load with it. */
  | { kind: 'broken'; why: string };

/** What code that was never finished throws, as opposed to code that does something wrong. */
const unfinished = ['SyntaxError', 'ReferenceError'];

/** Only tests that ran and failed have caught a mistake; a file that cannot be loaded would fail with any. */
export function verdictOf(outcomes: readonly Outcome[]): Verdict {
  const errors = outcomes.flatMap((outcome) => outcome.errors);
  const [outside] = errors;
  if (outside !== undefined) return { kind: 'broken', why: outside };
  const failed = outcomes.flatMap((outcome) => outcome.failed);
  const [broken] = failed.flatMap((test) => test.errors).filter((name) => unfinished.includes(name));
  if (broken !== undefined) return { kind: 'broken', why: broken };
  return failed.length === 0 ? { kind: 'missed' } : { kind: 'caught', by: failed.map(({ name }) => name) };
}
