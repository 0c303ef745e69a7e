import type { Outside } from './outside.ts';
import { type Paint, paintFor } from './paint.ts';
import { printable } from './words.ts';
import { wrapped } from './wrap.ts';

/** What is said beside an answer. */
export interface Beside {
  /** What was done to what was given. */
  notes: readonly string[];
  /** What could not be read. */
  unread?: readonly string[];
}

/** Each sentence once, and how often it was said: `… (3 times)`. */
export function countedOnce(sentences: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const sentence of sentences.map(printable)) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  return [...counts].map(([sentence, count]) => (count === 1 ? sentence : `${sentence} (${count} times)`));
}

/** On the other stream: who takes the answer gets the answer alone. It goes first, so that the answer is not scrolled away. */
export function tellBeside({ notes, unread = [] }: Beside, outside: Pick<Outside, 'stderr' | 'env'>): void {
  const lines = besideLines({ notes, unread }, paintFor(outside.stderr, outside));
  if (lines.length > 0) outside.stderr.write(lines.map((line) => `${line}\n`).join(''));
}

/** The same as lines, broken where a width is told. */
export function besideLines({ notes, unread = [] }: Beside, paint: Paint, width = Infinity): string[] {
  const linesOf = (sentences: readonly string[]): string[] =>
    countedOnce(sentences).flatMap((sentence) => wrapped(sentence, width));
  return [
    ...linesOf(notes).map((line) => paint('dim', line)),
    ...linesOf(unread).map((line) => paint('yellow', line)),
  ];
}
