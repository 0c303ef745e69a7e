import { Unknown } from './refusals.ts';

/** The words of one expression, taken one after the other. */
export interface Lexer {
  /** Keywords are recognised in capitals, as the adapter writes them. */
  takeIf(word: string): boolean;
  take(word: string): void;
  /** The next word if it looks like that. */
  takeLike(pattern: RegExp): string | undefined;
  end(): void;
  /** Throws, for the word that comes next. */
  refuse(): never;
}

const word = /\s*(?:([:#]?\w+)|(<=|>=|<>|[=<>(),+-]))/y;

export function startLexer(expression: string): Lexer {
  const words = wordsOf(expression);
  let at = 0;
  const refuse = (): never => {
    const next = words[at];
    throw new Unknown(`the expression "${expression}" at ${next === undefined ? 'its end' : `"${next}"`}`);
  };
  const takeIf = (wanted: string): boolean => {
    if (words[at] !== wanted) return false;
    at += 1;
    return true;
  };
  return {
    takeIf,
    take: (wanted) => void (takeIf(wanted) || refuse()),
    takeLike(pattern) {
      const next = words[at];
      if (next === undefined || !pattern.test(next)) return undefined;
      at += 1;
      return next;
    },
    end: () => void (at === words.length || refuse()),
    refuse,
  };
}

function wordsOf(expression: string): string[] {
  const words: string[] = [];
  const text = expression.trim();
  word.lastIndex = 0;
  while (word.lastIndex < text.length) {
    const [, name, sign] = word.exec(text) ?? [];
    const found = name ?? sign;
    if (found === undefined) throw new Unknown(`the expression "${expression}"`);
    words.push(found);
  }
  return words;
}
