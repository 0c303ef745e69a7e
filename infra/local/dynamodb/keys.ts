import { invalid } from './refusal.ts';
import { attributeOf, type Item, kindOf, type Value } from './value.ts';

/** The attributes by which a table or an index finds items: `hash` names the partition, `range` orders it. */
export interface Keys {
  hash: string;
  range?: string | undefined;
}

export type KeyType = 'S' | 'N';

/** Of each attribute that is a key of the table or of an index. */
export type KeyTypes = ReadonlyMap<string, KeyType>;

export const namesOf = ({ hash, range }: Keys): string[] => (range === undefined ? [hash] : [hash, range]);

const longestBytes = { hash: 2048, range: 1024 };

export const textOf = (value: Value | undefined): string =>
  value === undefined || 'M' in value || 'SS' in value ? '' : 'S' in value ? value.S : value.N;

/** Throws unless the value may stand for that key. */
export function checkKey(name: string, value: Value, types: KeyTypes): void {
  const expected = types.get(name);
  const actual = kindOf(value);
  if (actual !== expected) {
    throw invalid(
      `One or more parameter values were invalid: Type mismatch for key ${name} expected: ${expected} actual: ${actual}`,
    );
  }
  if (textOf(value) === '') {
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
    );
  }
}

/** Throws unless the item has the keys. */
export function checkHasKeys(item: Item, keys: Keys, types: KeyTypes): void {
  for (const [role, name] of Object.entries(keys)) {
    const value = attributeOf(item, name);
    if (value === undefined) {
      throw invalid(`One or more parameter values were invalid: Missing the key ${name} in the item`);
    }
    checkKey(name, value, types);
    const longest = role === 'hash' ? longestBytes.hash : longestBytes.range;
    if (Buffer.byteLength(textOf(value)) > longest) {
      throw invalid(
        `One or more parameter values were invalid: Size of ${role} key has exceeded the maximum size limit of ${longest} bytes`,
      );
    }
  }
}

/** Throws unless these are the keys and nothing else. */
export function checkOnlyKeys(key: Item, keys: Keys, types: KeyTypes): void {
  if (Object.keys(key).length !== namesOf(keys).length) {
    throw invalid('The provided key element does not match the schema');
  }
  checkHasKeys(key, keys, types);
}
