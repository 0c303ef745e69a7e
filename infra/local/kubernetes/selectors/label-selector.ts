import { flawOfKey, flawOfLabelValue } from '../objects/names.ts';
import { badRequest } from '../objects/status.ts';

export type LabelTest = (labels: Record<string, string>) => boolean;

type Operator = 'in' | 'notin' | 'exists' | '!' | '>' | '<';

interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

const everything: LabelTest = () => true;
const special = new Set(['(', ')', ',', '!', '=', '==', '!=', '>', '<']);

/** The selector as a test. Throws ApiError 400 with the API server's words. */
export function parseLabelSelector(text: string | undefined): LabelTest {
  if (!text?.trim()) return everything;
  const requirements = new Parser(tokensOf(text)).requirements();
  return (labels) => requirements.every((requirement) => holds(requirement, labels));
}

function holds({ key, operator, values }: Requirement, labels: Record<string, string>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'in':
      return value !== undefined && values.includes(value);
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    default: {
      if (value === undefined || !/^-?\d+$/.test(value)) return false;
      return operator === '>' ? Number(value) > Number(values[0]) : Number(value) < Number(values[0]);
    }
  }
}

function tokensOf(text: string): string[] {
  return text.match(/==|!=|[()!,=<>]|[^()!,=<>\s]+/g) ?? [];
}

const unparsed = (why: string) => badRequest(`unable to parse requirement: ${why}`);

class Parser {
  readonly #tokens: string[];
  #next = 0;

  constructor(tokens: string[]) {
    this.#tokens = tokens;
  }

  requirements(): Requirement[] {
    const found: Requirement[] = [];
    for (;;) {
      if (this.#peek() !== '!' && special.has(this.#peek())) {
        throw badRequest(`found '${this.#peek()}', expected: !, identifier, or 'end of string'`);
      }
      found.push(this.#requirement());
      const separator = this.#take();
      if (separator === '') return found;
      if (separator !== ',') throw badRequest(`found '${separator}', expected: ',' or 'end of string'`);
      if (this.#peek() !== '!' && !this.#isWord(this.#peek())) {
        throw badRequest(`found '${this.#peek()}', expected: identifier after ','`);
      }
    }
  }

  #requirement(): Requirement {
    const isNegated = this.#peek() === '!';
    if (isNegated) this.#take();
    const key = this.#take();
    if (!this.#isWord(key)) throw unparsed(`found '${key}', expected: identifier`);
    const flaw = flawOfKey(key);
    if (flaw) throw unparsed(`<nil>: Invalid value: ${JSON.stringify(key)}: ${flaw}`);
    if (isNegated) return { key, operator: '!', values: [] };
    if (this.#peek() === '' || this.#peek() === ',') return { key, operator: 'exists', values: [] };
    return this.#comparison(key);
  }

  #comparison(key: string): Requirement {
    const operator = this.#take();
    if (operator === 'in' || operator === 'notin') return valid({ key, operator, values: this.#set() });
    if (operator === '=' || operator === '==') return valid({ key, operator: 'in', values: [this.#exact()] });
    if (operator === '!=') return valid({ key, operator: 'notin', values: [this.#exact()] });
    if (operator === '>' || operator === '<') return valid({ key, operator, values: [this.#exact()] });
    throw unparsed(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
  }

  #exact(): string {
    const next = this.#peek();
    if (next === '' || next === ',') return '';
    if (!this.#isWord(next)) throw unparsed(`found '${next}', expected: identifier`);
    return this.#take();
  }

  #set(): string[] {
    const open = this.#take();
    if (open !== '(') throw unparsed(`found '${open}' expected: '('`);
    const values: string[] = [];
    let isValueDue = true;
    for (;;) {
      const token = this.#take();
      if (token === ')') return isValueDue ? [...values, ''] : values;
      if (token === ',') {
        if (isValueDue) values.push('');
        isValueDue = true;
      } else if (this.#isWord(token) && isValueDue) {
        values.push(token);
        isValueDue = false;
      } else throw unparsed(`found '${token}', expected: ',' or ')'`);
    }
  }

  #isWord(token: string): boolean {
    return token !== '' && !special.has(token);
  }

  #peek(): string {
    return this.#tokens[this.#next] ?? '';
  }

  #take(): string {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }
}

function valid(requirement: Requirement): Requirement {
  const [first = ''] = requirement.values;
  const isOrder = requirement.operator === '>' || requirement.operator === '<';
  if (isOrder && !/^-?\d+$/.test(first)) {
    throw unparsed(
      `values[0]: Invalid value: ${JSON.stringify(first)}: for 'Gt', 'Lt' operators, the value must be an integer`,
    );
  }
  requirement.values.forEach((value, i) => {
    const flaw = flawOfLabelValue(value);
    if (flaw)
      throw unparsed(`values[${i}][${requirement.key}]: Invalid value: ${JSON.stringify(value)}: ${flaw}`);
  });
  return requirement;
}
