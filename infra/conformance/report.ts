import { type Paint } from '../terminal/paint.ts';
import { conforms, type Outcome, type Result } from './outcome.ts';

export interface Reporter {
  result(result: Result): void;
  /** `isWhole`: the run was not interrupted. */
  end(results: readonly Result[], isWhole: boolean): void;
}

type Write = (line: string) => void;

/**
 * For people: a line for each check, and below a failure what was expected and what came. `subject`: what is held to the
 * contract.
 */
export function textReporter(subject: string, write: Write, paint: Paint): Reporter {
  let section = '';
  return {
    result(result) {
      if (result.section !== section) write(`${section === '' ? '' : '\n'}${paint('bold', result.section)}`);
      section = result.section;
      for (const line of linesOf(result, paint)) write(line);
    },
    end: (results, isWhole) => write(`\n${verdict(subject, results, isWhole)}: ${numbers(results)}.`),
  };
}

/** For programs: one object per line, the last one with the numbers. */
export function jsonReporter(write: Write): Reporter {
  return {
    result: ({ section, name, outcome: { kind, ...more } }) =>
      write(JSON.stringify({ section, check: name, outcome: kind, ...more })),
    end: (results, isWhole) =>
      write(JSON.stringify({ conforms: isWhole && conforms(results), ...count(results) })),
  };
}

function linesOf({ name, outcome }: Result, paint: Paint): string[] {
  switch (outcome.kind) {
    case 'failed':
      return [
        `  ${paint('red', '✗')} ${name}`,
        `      expected: ${outcome.expected}`,
        `      answered: ${outcome.answered}`,
      ];
    case 'noted':
      return [`  ${paint('green', '✓')} ${name}`, `      note: ${outcome.note}`];
    case 'skipped':
      return [`  ${paint('dim', '-')} ${name} (skipped: ${outcome.why})`];
    default:
      return [`  ${paint('green', '✓')} ${name}`];
  }
}

type Counts = Record<'passed' | 'failed' | 'skipped', number>;

function count(results: readonly Result[]): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { outcome } of results) counts[columnOf(outcome)] += 1;
  return counts;
}

const columnOf = ({ kind }: Outcome): keyof Counts => (kind === 'noted' ? 'passed' : kind);

function verdict(subject: string, results: readonly Result[], isWhole: boolean): string {
  if (!conforms(results)) return `${subject} does not keep to the contract`;
  return isWhole ? `${subject} keeps to the contract` : 'Interrupted';
}

function numbers(results: readonly Result[]): string {
  const { passed, failed, skipped } = count(results);
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
