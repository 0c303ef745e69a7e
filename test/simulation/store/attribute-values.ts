import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { compareBytes } from '../../../shared/text/byte-order.ts';
import { invalid, Unknown } from './refusals.ts';

export type Kind = 'S' | 'N' | 'M' | 'SS';

export function kindOf(value: AttributeValue): Kind {
  if (value.S !== undefined) return 'S';
  if (value.N !== undefined) return 'N';
  if (value.M !== undefined) return 'M';
  if (value.SS !== undefined) return 'SS';
  const [kind = 'M'] = Object.keys(value);
  if (kind !== 'S' && kind !== 'N' && kind !== 'M' && kind !== 'SS')
    throw new Unknown(`attributes of the type ${kind}`);
  throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
}

const isDecimal = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Throws for what DynamoDB stores in no item: nothing at all, and numbers that are none. */
export function checkValue(value: AttributeValue): void {
  const kind = kindOf(value);
  if (kind === 'N' && !isDecimal.test(value.N ?? '')) {
    throw invalid(`The parameter cannot be converted to a numeric value: ${value.N}`);
  }
  if (kind === 'M') for (const inner of Object.values(value.M ?? {})) checkValue(inner);
  if (kind === 'SS') checkSet(value.SS ?? []);
}

function checkSet(texts: readonly string[]): void {
  if (texts.length === 0)
    throw invalid('One or more parameter values were invalid: An string set  may not be empty');
  if (new Set(texts).size < texts.length)
    throw invalid('One or more parameter values were invalid: Input collection contains duplicates');
}

/** Negative if `one` comes first; undefined for what cannot be compared, as a text with a number. */
export function compareValues(one: AttributeValue, other: AttributeValue): number | undefined {
  const kind = kindOf(one);
  if (kind !== kindOf(other)) return undefined;
  if (kind === 'M' || kind === 'SS') throw new Unknown('how to compare maps and sets');
  return kind === 'N' ? Number(one.N) - Number(other.N) : compareBytes(one.S ?? '', other.S ?? '');
}
