import { flawOfKey, flawOfLabelValue } from '../objects/metadata-rules.ts';
import { badRequest } from '../objects/status.ts';
import { isObject, listOf, objectOf, textAt } from '../server/json.ts';

export type LabelTest = (labels: Record<string, string>) => boolean;

/** A requirement whose values are texts. */
interface TextRequirement extends Requirement {
  readonly values: readonly string[];
}

const operators: ReadonlyMap<string, string> = new Map([
  ['in', 'In'],
  ['notin', 'NotIn'],
  ['=', 'In'],
  ['==', 'In'],
  ['!=', 'NotIn'],
  ['>', 'Gt'],
  ['<', 'Lt'],
]);

const everything: LabelTest = () => true;
const special = new Set(['(', ')', ',', '!', '=', '==', '!=', '>', '<']);

/** The selector as a test. Throws ApiError 400 with the API server's words. */
export function parseLabelSelector(text: string | undefined): LabelTest {
  if (!text?.trim()) return everything;
  const requirements = new Parser(tokensOf(text)).requirements();
  return (labels) => requirements.every((requirement) => isMet(requirement, labels));
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

  requirements(): TextRequirement[] {
    const found: TextRequirement[] = [];
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

  #requirement(): TextRequirement {
    const isNegated = this.#peek() === '!';
    if (isNegated) this.#take();
    const key = this.#take();
    if (!this.#isWord(key)) throw unparsed(`found '${key}', expected: identifier`);
    const flaw = flawOfKey(key);
    if (flaw) throw unparsed(`<nil>: Invalid value: ${JSON.stringify(key)}: ${flaw}`);
    if (isNegated) return { key, operator: 'DoesNotExist', values: [] };
    if (this.#peek() === '' || this.#peek() === ',') return { key, operator: 'Exists', values: [] };
    return this.#comparison(key);
  }

  #comparison(key: string): TextRequirement {
    const token = this.#take();
    const operator = operators.get(token);
    if (operator === undefined) throw unparsed(`found '${token}', expected: in, notin, =, ==, !=, gt, lt`);
    const isSet = token === 'in' || token === 'notin';
    return valid({ key, operator, values: isSet ? this.#set() : [this.#exact()] });
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

function valid(requirement: TextRequirement): TextRequirement {
  const [first = ''] = requirement.values;
  const isOrder = requirement.operator === 'Gt' || requirement.operator === 'Lt';
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

/** What a selector asks of one label. Gt and Lt are known in text alone. */
interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly unknown[];
}

/** Whether labels match a LabelSelector object; none matches nothing, an empty one everything. */
export function selects(selector: unknown, labels: Record<string, string> = {}): boolean {
  if (!isObject(selector)) return false;
  const wanted = Object.entries(objectOf(selector.matchLabels));
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    listOf(selector.matchExpressions).every((one) => isMet(requirementOf(one), labels))
  );
}

const requirementOf = (expression: unknown): Requirement => ({
  key: textAt(expression, 'key'),
  operator: textAt(expression, 'operator'),
  values: listOf(objectOf(expression).values),
});

function isMet({ key, operator, values }: Requirement, labels: Record<string, string>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  if (operator === 'In') return value !== undefined && values.includes(value);
  if (operator === 'NotIn') return value === undefined || !values.includes(value);
  if (operator === 'Exists') return value !== undefined;
  if (operator !== 'Gt' && operator !== 'Lt') return value === undefined;
  if (value === undefined || !/^-?\d+$/.test(value)) return false;
  return operator === 'Gt' ? Number(value) > Number(values[0]) : Number(value) < Number(values[0]);
}
