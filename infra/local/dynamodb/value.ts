import { compareBytes } from '../../../shared/text/byte-order.ts';
import { compareDecimals, decimalOf } from './decimal.ts';
import { invalid, unsupported } from './refusal.ts';

/** As much of DynamoDB's types as the adapter writes: text, number, map, set of texts. */
export type Value = { S: string } | { N: string } | { M: Item } | { SS: readonly string[] };

/** Any name is possible, even `constructor`: read attributes with `attributeOf`. */
export type Item = Readonly<Record<string, Value>>;

export type Kind = 'S' | 'N' | 'M' | 'SS';

export const attributeOf = (item: Item, name: string): Value | undefined =>
  Object.hasOwn(item, name) ? item[name] : undefined;

export function kindOf(value: Value): Kind {
  if ('S' in value) return 'S';
  if ('N' in value) return 'N';
  return 'M' in value ? 'M' : 'SS';
}

const deepest = 32;

/** An item as it was sent, with its numbers in one form. Throws where DynamoDB would refuse it. */
export function itemOf(sent: unknown, depth = 0): Item {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) throw invalid('An item is a map');
  if (depth > deepest) throw invalid('Nesting Levels have exceeded supported limits');
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, valueOf(value, depth)]));
}

function valueOf(sent: unknown, depth: number): Value {
  const fields = typeof sent === 'object' && sent !== null ? Object.entries(sent) : [];
  const [field] = fields;
  if (field === undefined || fields.length > 1) {
    throw invalid('Supplied AttributeValue must contain exactly one of the supported datatypes');
  }
  const [kind, value]: [string, unknown] = field;
  if (kind === 'S' && typeof value === 'string') return { S: value };
  if (kind === 'N' && typeof value === 'string') return { N: decimalOf(value) };
  if (kind === 'M') return { M: itemOf(value, depth + 1) };
  if (kind === 'SS') return { SS: setOf(value) };
  throw unsupported(`attributes of the type ${kind} with ${typeof value}`);
}

/** Sorted: DynamoDB promises no order, and what is compared in tests has to be the same each time. */
function setOf(sent: unknown): readonly string[] {
  const texts = Array.isArray(sent) ? sent.filter((text) => typeof text === 'string') : [];
  if (!Array.isArray(sent) || texts.length !== sent.length)
    throw invalid('A string set may only have texts as members');
  if (texts.length === 0)
    throw invalid('One or more parameter values were invalid: An string set  may not be empty');
  if (new Set(texts).size !== texts.length)
    throw invalid('One or more parameter values were invalid: Input collection contains duplicates');
  return texts.toSorted(compareBytes);
}

/** Negative if `one` comes first; undefined for what cannot be compared, as a text with a number. */
export function compareValues(one: Value, other: Value): number | undefined {
  if ('S' in one && 'S' in other) return compareBytes(one.S, other.S);
  if ('N' in one && 'N' in other) return compareDecimals(one.N, other.N);
  if (kindOf(one) === kindOf(other)) throw unsupported(`comparisons of ${'M' in one ? 'maps' : 'sets'}`);
  return undefined;
}

/** In bytes, as DynamoDB counts them. */
export function sizeOf(item: Item): number {
  let size = 0;
  for (const [name, value] of Object.entries(item)) size += Buffer.byteLength(name) + sizeOfValue(value);
  return size;
}

function sizeOfValue(value: Value): number {
  if ('S' in value) return Buffer.byteLength(value.S);
  if ('N' in value) return Math.ceil(value.N.length / 2) + 1;
  if ('SS' in value) return value.SS.reduce((size, text) => size + Buffer.byteLength(text), 0);
  return 3 + Object.keys(value.M).length + sizeOf(value.M);
}
