type Token =
  | { kind: 'text'; value: string }
  | { kind: 'number'; value: number }
  | { kind: 'name'; value: string }
  /** Keywords in upper case, and signs. */
  | { kind: 'word'; value: string };

/** An expression that cannot be read, with the reason in words. */
export class CesqlSyntaxError extends Error {
  override readonly name = 'CesqlSyntaxError';
}

const keywords = new Set(['AND', 'OR', 'XOR', 'NOT', 'LIKE', 'IN', 'EXISTS', 'TRUE', 'FALSE']);
const pattern =
  /\s*(?:(?<text>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|(?<number>\d+)|(?<name>[A-Za-z][A-Za-z0-9_]*)|(?<sign><=|>=|!=|<>|[=<>(),-]))/y;

/** Cuts a CESQL expression into tokens. Throws CesqlSyntaxError. */
export function tokens(expression: string): Token[] {
  const found: Token[] = [];
  const source = expression.trimEnd();
  for (let at = 0; at < source.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const groups = pattern.exec(source)?.groups;
    if (groups === undefined) {
      throw new CesqlSyntaxError(`cannot read ${JSON.stringify(source.slice(at).trim())}`);
    }
    found.push(tokenOf(groups));
  }
  return found;
}

function tokenOf(groups: Record<string, string | undefined>): Token {
  if (groups.text !== undefined) return { kind: 'text', value: unquote(groups.text) };
  if (groups.number !== undefined) return { kind: 'number', value: Number(groups.number) };
  if (groups.name === undefined) return { kind: 'word', value: groups.sign ?? '' };

  const keyword = groups.name.toUpperCase();
  return keywords.has(keyword) ? { kind: 'word', value: keyword } : { kind: 'name', value: groups.name };
}

/** Only the quote itself is escaped; a backslash before anything else stays, LIKE patterns need theirs. */
const unquote = (quoted: string): string => quoted.slice(1, -1).replaceAll(/\\(['"])/g, '$1');

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
