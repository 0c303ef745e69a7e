import { commonLength } from '../../shared/text/truncate.ts';
import { aligned, gap, widthsOf } from './columns.ts';

/** A text as lines of at most this width, broken between words. A word that is longer is broken where the line ends. */
export function wrapped(text: string, width: number): string[] {
  const room = Math.max(1, width);
  return filled(
    text.split(' ').flatMap((each) => pieces(each, room)),
    room,
  );
}

/** Words as lines of at most this width. A word that is longer has a line of its own. */
export function filled(words: readonly string[], room: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Never splits a character. */
function pieces(word: string, room: number): string[] {
  if (word.length <= room) return [word];
  const found: string[] = [''];
  for (const character of word) {
    const last = found.at(-1) ?? '';
    if (last.length + character.length > room && last !== '') found.push(character);
    else found[found.length - 1] = last + character;
  }
  return found;
}

/** A column of a table. The cells of prose go over several lines where there is no room. */
export interface Column {
  heading: string;
  isProse?: true;
}

/** The longest reason, and the colon behind it. */
const leastProse = 'WaitingForInfrastructureDeletion:'.length;

/** The heading and the rows, each as lines that fit the width. Undefined where prose would have no room. */
export function tableWithin(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[][] | undefined {
  const all = [columns.map(({ heading }) => heading), ...rows];
  const natural = widthsOf(all);
  const isProse = (index: number): boolean => columns[index]?.isProse === true;
  const fixed = natural.reduce((sum, each, index) => sum + gap + (isProse(index) ? 0 : each), -gap);
  const most = commonLength(
    natural.filter((_, index) => isProse(index)),
    Math.max(0, width - fixed),
  );
  if (most < leastProse) return undefined;
  const widths = natural.map((each, index) => (isProse(index) ? Math.min(each, most) : each));
  return all.map((row) => rowLines(row, widths));
}

function rowLines(row: readonly string[], widths: readonly number[]): string[] {
  const cells = row.map((cell, index) => wrapped(cell, widths[index] ?? 0));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    aligned(
      cells.map((lines) => lines[line] ?? ''),
      widths,
    ),
  );
}

/** A row below its first cells, a line or more for each other cell, under its heading. */
export function stackedWithin(
  columns: readonly Column[],
  row: readonly string[],
  { titles, width }: { titles: number; width: number },
): string[] {
  const headings = columns.slice(titles).map(({ heading }) => heading);
  const indent = Math.max(...headings.map((heading) => heading.length)) + 2 * gap;
  return [
    ...wrapped(row.slice(0, titles).join('  '), width),
    ...row.slice(titles).flatMap((cell, index) =>
      wrapped(cell, width - indent).map((line, at) => {
        const heading = at === 0 ? `${' '.repeat(gap)}${headings[index]}` : '';
        return `${heading.padEnd(indent)}${line}`;
      }),
    ),
  ];
}
