import { invalid } from './refusal.ts';

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
