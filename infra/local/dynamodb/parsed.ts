import * as z from 'zod';
import { invalid, type Refusal, unsupported } from './refusal.ts';
import { attributeOf, type Item, itemOf, type Value } from './value.ts';

/** The fields of a command, which are all that is understood of it. Throws for any other one. */
export function parsed<S extends z.ZodType>(schema: S, sent: unknown): z.output<S> {
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  throw refusalOf(result.error);
}

function refusalOf({ issues: [issue] }: z.ZodError): Refusal {
  if (issue === undefined) return invalid('The command cannot be read');
  if (issue.code === 'custom') return invalid(issue.message);
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const within = path === '' ? '' : ` of ${path}`;
    return unsupported(`the field ${issue.keys.join(', ')}${within} here`);
  }
  return invalid(`One or more parameter values were invalid: ${path}: ${issue.message}`);
}

const names = z.record(z.string().regex(/^#\w+$/, 'a placeholder of a name is # and a word'), z.string());

/** The values of these fields are read by `itemOf`, which throws what DynamoDB answers. */
export const itemField = z.unknown().transform((sent) => itemOf(sent));

export const tableName = z
  .string()
  .refine((name) => /^[a-zA-Z0-9_.-]*$/.test(name), 'TableName must satisfy the pattern: [a-zA-Z0-9_.-]+')
  .refine(
    ({ length }) => length >= 3 && length <= 255,
    'TableName must be at least 3 characters long and at most 255 characters long',
  );

export const placeholders = {
  ExpressionAttributeNames: names.optional(),
  ExpressionAttributeValues: itemField.optional(),
};

type Sent = z.output<z.ZodObject<typeof placeholders>>;

/** What a command gives for the words with `#` and `:`, and which of it its expressions use. */
export class Placeholders {
  readonly #names: Readonly<Record<string, string>>;
  readonly #values: Item;
  readonly #used = new Set<string>();

  constructor({ ExpressionAttributeNames: givenNames, ExpressionAttributeValues: givenValues }: Sent) {
    this.#names = givenNames ?? {};
    this.#values = givenValues ?? {};
    for (const [field, given] of this.#fields()) {
      const isEmpty = Object.keys(given).length === 0;
      if (isEmpty && (given === givenNames || given === givenValues))
        throw invalid(`${field} must not be empty`);
    }
  }

  name(placeholder: string): string {
    const name = Object.hasOwn(this.#names, placeholder) ? this.#names[placeholder] : undefined;
    const what = 'An expression attribute name used in the document path is not defined; attribute name';
    return this.#defined(placeholder, name, what);
  }

  value(placeholder: string): Value {
    const what = 'An expression attribute value used in expression is not defined; attribute value';
    return this.#defined(placeholder, attributeOf(this.#values, placeholder), what);
  }

  /** Throws where one is given that no expression speaks of: it is a slip. */
  checkAllUsed(): void {
    for (const [field, given] of this.#fields()) {
      const unused = Object.keys(given).filter((name) => !this.#used.has(name));
      if (unused.length > 0)
        throw invalid(`Value provided in ${field} unused in expressions: keys: {${unused.join(', ')}}`);
    }
  }

  #fields(): [string, object][] {
    return [
      ['ExpressionAttributeNames', this.#names],
      ['ExpressionAttributeValues', this.#values],
    ];
  }

  #defined<T>(placeholder: string, found: T | undefined, otherwise: string): T {
    if (found === undefined) throw invalid(`${otherwise}: ${placeholder}`);
    this.#used.add(placeholder);
    return found;
  }
}
