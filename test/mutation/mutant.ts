import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';

/** A change of one place in a source, and whether a test noticed it. */
export interface Mutant {
  file: string;
  /** The line it is in, or begins in. */
  line: string;
  lineNumber: number;
  from: string;
  to: string;
  /** Static: it takes effect when the module is loaded, and was not tried. */
  fate: 'noticed' | 'survived' | 'unreached' | 'static';
}

export function toMutant({ fileName, location, replacement, status }: MutantResult): Mutant {
  const text = readFileSync(fileName, 'utf8');
  const lines = text.split('\n');
  const { start, end } = location;
  const offset = ({ line, column }: { line: number; column: number }): number =>
    lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, column - 1);
  return {
    file: relative(process.cwd(), fileName),
    line: inOneLine(lines[start.line - 1] ?? ''),
    lineNumber: start.line,
    from: inOneLine(text.slice(offset(start), offset(end))),
    to: inOneLine(replacement),
    fate: fateOf(status),
  };
}

function fateOf(status: MutantResult['status']): Mutant['fate'] {
  switch (status) {
    case 'Survived':
      return 'survived';
    case 'NoCoverage':
      return 'unreached';
    case 'Ignored':
      return 'static';
    default:
      return 'noticed';
  }
}

/** As reports show it. */
export const inOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');
