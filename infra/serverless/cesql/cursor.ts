import { CesqlSyntaxError, type Token } from './tokens.ts';

/** Reads a list of tokens from front to back. */
export class Cursor {
  readonly #tokens: Token[];
  #at = 0;

  constructor(list: Token[]) {
    this.#tokens = list;
  }

  next(): Token {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new CesqlSyntaxError('the expression ends too early');
    return token;
  }

  /** Steps over the word if it comes next. */
  take(word: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'word' || token.value !== word) return false;
    this.#at++;
    return true;
  }

  mustTake(word: string): void {
    if (!this.take(word)) throw new CesqlSyntaxError(`expected ${word} ${this.#place()}`);
  }

  mustBeAtEnd(): void {
    if (this.#at < this.#tokens.length) throw new CesqlSyntaxError(`nothing may come ${this.#place()}`);
  }

  #place(): string {
    const token = this.#tokens[this.#at];
    return token === undefined ? 'at the end' : `at ${JSON.stringify(token.value)}`;
  }
}
