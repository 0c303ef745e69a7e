import { compareBytes } from '../../../shared/text/byte-order.ts';
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

const form = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** No number that is allowed is longer, and a pattern takes its time over a very long text. */
const longestText = 300;
const maxDigits = 38;
const largestMagnitude = 125;
const smallestMagnitude = -130;

/** The number as DynamoDB answers it, in any notation. Throws for what DynamoDB does not store. */
export function decimalOf(text: string): string {
  const [, sign = '', whole, fraction = '', exponent = '0'] =
    text.length > longestText ? [] : (form.exec(text) ?? []);
  if (whole === undefined) throw invalid(`The parameter cannot be converted to a numeric value: ${text}`);
  const withoutZeros = `${whole}${fraction}`.replace(/^0+/, '');
  const digits = withoutZeros.replace(/0+$/, '');
  if (digits === '') return '0';
  const tens = Number(exponent) - fraction.length + withoutZeros.length - digits.length;
  checkRange(digits, digits.length - 1 + tens);
  return sign + plain(digits, tens);
}

function checkRange(digits: string, magnitude: number): void {
  if (digits.length > maxDigits) {
    throw invalid('Attempting to store more than 38 significant digits in a Number');
  }
  if (magnitude > largestMagnitude) {
    throw invalid('Number overflow. Attempting to store a number with magnitude larger than supported range');
  }
  if (magnitude < smallestMagnitude) {
    throw invalid(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    );
  }
}

/** `digits` times ten to the power of `tens`, without an exponent. */
function plain(digits: string, tens: number): string {
  if (tens >= 0) return digits + '0'.repeat(tens);
  const whole = digits.length + tens;
  if (whole > 0) return `${digits.slice(0, whole)}.${digits.slice(whole)}`;
  return `0.${'0'.repeat(-whole)}${digits}`;
}

/** Both as `decimalOf` has them. Doubles that differ differ the right way; only equal ones may hide a difference. */
export function compareDecimals(one: string, other: string): number {
  if (one === other) return 0;
  const difference = Number(one) - Number(other);
  if (difference !== 0) return difference;
  const [mine, theirs] = asIntegers(one, other);
  return mine < theirs ? -1 : 1;
}

export function sumOf(one: string, other: string): string {
  const [mine, theirs, places] = asIntegers(one, other);
  return decimalOf(`${mine + theirs}e-${places}`);
}

/** Both times ten to the power of the third. */
function asIntegers(one: string, other: string): [bigint, bigint, number] {
  const places = Math.max(...[one, other].map((text) => fractionOf(text).length));
  const scaled = (text: string): bigint =>
    BigInt((text.split('.')[0] ?? '') + fractionOf(text).padEnd(places, '0'));
  return [scaled(one), scaled(other), places];
}

const fractionOf = (text: string): string => text.split('.')[1] ?? '';
