import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Item = Record<string, AttributeValue>;

export const text = (value: string): AttributeValue => ({ S: value });

export const number = (value: number): AttributeValue => ({ N: String(value) });

/** Undefined for a set without members, which no item may have. */
export const texts = (values: readonly string[]): AttributeValue | undefined =>
  values.length === 0 ? undefined : { SS: [...new Set(values)] };

export const map = (item: Item): AttributeValue => ({ M: item });

export const textOf = (attribute: AttributeValue | undefined): string | undefined => attribute?.S;

export const numberOf = (attribute: AttributeValue | undefined): number | undefined =>
  attribute?.N === undefined ? undefined : Number(attribute.N);

export const textsOf = (attribute: AttributeValue | undefined): readonly string[] => attribute?.SS ?? [];

const longestText = 8_000;

/** An item has room for 400 KB; one message that is longer must not make its write fail for ever. */
export const message = (value: string): AttributeValue =>
  text(value.length <= longestText ? value : `${value.slice(0, longestText - 1)}…`);
