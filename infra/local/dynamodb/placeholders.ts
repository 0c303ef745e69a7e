import { invalid } from './refusal.ts';
import { attributeOf, type Item, type Value } from './value.ts';

interface Sent {
  ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  ExpressionAttributeValues?: Item | undefined;
}

/** What a command gives for the words with `#` and `:` in its expressions, and which of it they speak of. */
export class Placeholders {
  readonly #names: Readonly<Record<string, string>>;
  readonly #values: Item;
  readonly #used = new Set<string>();

  constructor(sent: Sent) {
    const { ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = sent;
    for (const field of ['ExpressionAttributeNames', 'ExpressionAttributeValues'] as const) {
      const given = sent[field];
      if (given !== undefined && Object.keys(given).length === 0) {
        throw invalid(`${field} must not be empty`);
      }
    }
    this.#names = ExpressionAttributeNames;
    this.#values = ExpressionAttributeValues;
  }

  name(placeholder: string): string {
    const name = Object.hasOwn(this.#names, placeholder) ? this.#names[placeholder] : undefined;
    if (name === undefined) {
      throw invalid(
        `An expression attribute name used in the document path is not defined; attribute name: ${placeholder}`,
      );
    }
    this.#used.add(placeholder);
    return name;
  }

  value(placeholder: string): Value {
    const value = attributeOf(this.#values, placeholder);
    if (value === undefined) {
      throw invalid(
        `An expression attribute value used in expression is not defined; attribute value: ${placeholder}`,
      );
    }
    this.#used.add(placeholder);
    return value;
  }

  /** Throws where one is given that no expression speaks of: it is a slip. */
  checkAllUsed(): void {
    const unused = (given: object): string[] => Object.keys(given).filter((name) => !this.#used.has(name));
    const [names, values] = [unused(this.#names), unused(this.#values)];
    if (names.length > 0) {
      throw invalid(
        `Value provided in ExpressionAttributeNames unused in expressions: keys: {${names.join(', ')}}`,
      );
    }
    if (values.length > 0) {
      throw invalid(
        `Value provided in ExpressionAttributeValues unused in expressions: keys: {${values.join(', ')}}`,
      );
    }
  }
}
