type Outcome = { kind: 'passed' } | { kind: 'failed'; why: string } | { kind: 'not run'; why: string };

export interface Result {
  story: string;
  /** One of the ways to run phaseout; empty for what belongs to none. */
  way: string;
  outcome: Outcome;
  seconds: number;
}

/** The report for people, or for programs. */
export interface Report {
  /** What was found out, and what is being done. */
  note(text: string): void;
  result(result: Result): void;
  end(results: readonly Result[], seconds: number): void;
}

interface Writing {
  write(text: string): unknown;
}

export function lineReport(out: Writing): Report {
  return {
    note: (text) => void out.write(`${text}\n`),
    result({ story, way, outcome, seconds }) {
      const mark = { passed: 'ok  ', failed: 'FAIL', 'not run': '-   ' }[outcome.kind];
      const why = outcome.kind === 'not run' ? ` not run: ${outcome.why}` : '';
      out.write(`${mark} ${way.padEnd(9)} ${story.padEnd(18)} ${seconds.toFixed(1).padStart(6)} s${why}\n`);
      if (outcome.kind === 'failed') out.write(`${indented(outcome.why)}\n`);
    },
    end(results, seconds) {
      const counts = countsOf(results);
      out.write(
        `${counts.passed} passed, ${counts.failed} failed, ${counts['not run']} not run, in ${seconds.toFixed(0)} s\n`,
      );
      for (const { story, way, outcome } of results) {
        if (outcome.kind === 'failed') out.write(`  failed: ${way} ${story}\n`);
        if (outcome.kind === 'not run') out.write(`  not run: ${way} ${story}: ${outcome.why}\n`);
      }
    },
  };
}

export function jsonReport(out: Writing): Report {
  const say = (object: object): void => void out.write(`${JSON.stringify(object)}\n`);
  return {
    note: (text) => say({ note: text }),
    result: (result) => say(result),
    end: (results, seconds) => say({ ...countsOf(results), seconds }),
  };
}

function countsOf(results: readonly Result[]): Record<Outcome['kind'], number> {
  const count = (kind: Outcome['kind']): number =>
    results.filter(({ outcome }) => outcome.kind === kind).length;
  return { passed: count('passed'), failed: count('failed'), 'not run': count('not run') };
}

const indented = (text: string): string => text.replace(/^/gm, '       ');
