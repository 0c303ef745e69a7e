import { type ToldOption, type ToldOptions, typed } from './option.ts';
import { filled } from './wrap.ts';

/** Where meanings begin, and where they end. */
const column = 26;
const width = 120;

/** What a help says of options: those without a group first, then each group under its heading. */
export function optionsText(options: ToldOptions): string {
  const groups = Map.groupBy(Object.entries(options), ([, { group }]) => group ?? '');
  const inOrder = [...groups].toSorted(([one], [other]) => Number(one !== '') - Number(other !== ''));
  return inOrder
    .map(([heading, rows]) => [...headed(heading), ...rows.flatMap(rowOf)].join('\n'))
    .join('\n\n');
}

const headed = (heading: string): string[] => (heading === '' ? [] : [heading]);

function rowOf([name, option]: [string, ToldOption]): string[] {
  const short = option.short === undefined ? '' : `-${option.short}, `;
  const left = `  ${short}${typed(name, option)}${valueOf(option)}`;
  const [first = '', ...more] = wrapped(option.meaning, width - column);
  const rest = more.map((line) => ' '.repeat(column) + line);
  const isShort = left.length <= column - 2;
  return isShort ? [left.padEnd(column) + first, ...rest] : [left, ' '.repeat(column) + first, ...rest];
}

function valueOf({ value, multiple, bare }: ToldOption): string {
  if (value === undefined) return '';
  if (bare !== undefined) return ` [${value}]`;
  return ` ${value}${multiple === true ? '...' : ''}`;
}

/** A text in lines of at most so many signs. A word that is longer has a line of its own. */
export const wrapped = (text: string, most: number): string[] => filled(text.split(' '), most);
