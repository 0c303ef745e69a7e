import type { Mutant } from './mutant.ts';
import { type Score, scoreOf, scorePerFolder } from './score.ts';
import type { ToldApart } from './survivors.ts';

const columns = ['tried', 'noticed', 'survived', 'unreached', 'static'] as const;

/** The whole answer, as lines to print: scores per folder, then what asks for a test or an explanation. */
export function report(
  mutants: readonly Mutant[],
  { explained, unexplained, outdated }: ToldApart,
): string[] {
  const scores: [string, Score][] = [...scorePerFolder(mutants), ['all', scoreOf(mutants)]];
  const width = Math.max(...scores.map(([name]) => name.length));
  return [
    `${' '.repeat(width)}  score %${columns.map((column) => column.padStart(11)).join('')}`,
    ...scores.map(([name, score]) => scoreLine(name.padEnd(width), score)),
    '',
    `${explained.length} survivors are explained, ${unexplained.length} are not.`,
    ...unexplained.flatMap(survivorLines),
    ...(outdated.length > 0 ? ['', 'Explained, but noticed or not there any more:'] : []),
    ...outdated.map(({ file, line, to }) => `  ${file}: ${line} → ${to}`),
  ];
}

const scoreLine = (name: string, score: Score): string =>
  `${name}  ${score.percent.toFixed(1).padStart(7)}${columns.map((column) => String(score[column]).padStart(11)).join('')}`;

const survivorLines = ({ file, lineNumber, line, from, to, fate }: Mutant): string[] => [
  '',
  `${file}:${lineNumber}${fate === 'unreached' ? ' (no test gets there)' : ''}`,
  `  line  ${line}`,
  `  from  ${from}`,
  `  to    ${to}`,
];
