import type { Placeholders } from './parsed.ts';
import { invalid } from './refusal.ts';
import { reservedWords } from './reserved-words.ts';
import { attributeOf, type Item, type Value } from './value.ts';

/** An attribute of the item, or a value that came with the command. */
export type Operand = { path: string } | { value: Value };

export const operandIn = (item: Item, operand: Operand): Value | undefined =>
  'value' in operand ? operand.value : attributeOf(item, operand.path);

const word = /\s*(?:([:#]?\w+)|(<=|>=|<>|[=<>(),+-]))/y;
const longestBytes = 4096;

/** The words of one expression, taken one after the other. Throws for all that is not expected. */
export class Expression {
  /** DynamoDB's name of the field. */
  readonly #field: string;
  readonly #text: string;
  readonly #given: Placeholders;
  readonly #words: readonly string[];
  #at = 0;

  constructor(field: string, text: string, given: Placeholders) {
    this.#field = field;
    this.#text = text;
    this.#given = given;
    if (text.trim() === '') throw this.invalid('The expression can not be empty;');
    if (Buffer.byteLength(text) > longestBytes) {
      throw this.invalid('Expression size has exceeded the maximum allowed size;');
    }
    this.#words = this.#wordsOf(text.trim());
  }

  /** Keywords are known in capitals, as the adapter writes them. */
  takeIf(wanted: string): boolean {
    if (this.#words[this.#at] !== wanted) return false;
    this.#at += 1;
    return true;
  }

  take(wanted: string): void {
    if (!this.takeIf(wanted)) throw this.unexpected();
  }

  /** Only attributes at the top of an item can be named. */
  path(): string {
    const next = this.#words[this.#at] ?? '';
    if (!/^(?:#|[A-Za-z])/.test(next)) throw this.unexpected();
    this.#at += 1;
    if (next.startsWith('#')) return this.#given.name(next);
    if (reservedWords.has(next.toUpperCase())) {
      throw this.invalid(`Attribute name is a reserved keyword; reserved keyword: ${next}`);
    }
    return next;
  }

  value(): Value {
    const next = this.#words[this.#at] ?? '';
    if (!next.startsWith(':')) throw this.unexpected();
    this.#at += 1;
    return this.#given.value(next);
  }

  operand(): Operand {
    const isValue = this.#words[this.#at]?.startsWith(':') === true;
    return isValue ? { value: this.value() } : { path: this.path() };
  }

  end(): void {
    if (this.#at < this.#words.length) throw this.unexpected();
  }

  unexpected(): Error {
    const next = this.#words[this.#at];
    const where = next === undefined ? 'its end' : `"${next}"`;
    return this.invalid(
      `The embedded DynamoDB does not understand the expression "${this.#text}" at ${where}`,
    );
  }

  invalid(why: string): Error {
    return invalid(`Invalid ${this.#field}: ${why}`);
  }

  #wordsOf(text: string): string[] {
    const words: string[] = [];
    word.lastIndex = 0;
    while (word.lastIndex < text.length) {
      const from = word.lastIndex;
      const [, name, sign] = word.exec(text) ?? [];
      const found = name ?? sign;
      if (found === undefined) {
        throw this.invalid(`The embedded DynamoDB does not understand "${text.slice(from).trim()}"`);
      }
      words.push(found);
    }
    return words;
  }
}
