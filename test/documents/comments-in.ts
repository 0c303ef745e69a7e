import { parseSync } from 'rolldown/utils';
import { read } from './markdown.ts';

/** A sentence of a comment, and the line that the comment begins on. */
export interface Sentence {
  at: string;
  text: string;
  words: number;
}

/** The sentences of every comment of a source. Lines of `//` that follow one another are one comment. */
export function sentencesIn(path: string, source = read(path)): Sentence[] {
  const comments: { line: number; start: number; end: number; text: string }[] = [];
  for (const { start, end, type, value } of parseSync(path, source, { lang: 'ts' }).comments) {
    const before = comments.at(-1);
    const between = before === undefined ? '' : source.slice(before.end, start);
    if (type === 'Line' && before !== undefined && /^\n[ \t]*$/.test(between)) {
      before.text += `\n${value}`;
      before.end = end;
    } else comments.push({ line: source.slice(0, start).split('\n').length, start, end, text: value });
  }
  return comments.flatMap(({ line, text }) =>
    split(text).map((sentence) => ({ at: `${path}:${line}`, text: sentence, words: wordsOf(sentence) })),
  );
}

/** A paragraph, an entry of a list and a tag end a sentence, too. What stands in backticks is one word. */
const split = (comment: string): string[] =>
  comment
    .replaceAll(/^[ \t]*\*+[ \t]?/gm, '')
    .replaceAll(/`[^`]*`/g, '`x`')
    .split(/\n[ \t]*\n|\n[ \t]*(?=[-*] |\d\. |@)/)
    .flatMap((paragraph) => paragraph.replaceAll(/\s+/g, ' ').split(/(?<=[.!?]['")]?) (?=["'(`A-Z\d])/));

const wordsOf = (sentence: string): number =>
  sentence.split(' ').filter((word) => /[A-Za-z\d]/.test(word)).length;
