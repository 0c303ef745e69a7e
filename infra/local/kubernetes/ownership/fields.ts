import { isObject } from '../server/json.ts';
import { fieldTyping, hasItems, isWhole, itemName, itemTyping, type Typing } from './typing.ts';

/** A value that has parts with owners of their own: the parts by their names, each with its typing. */
interface Part {
  readonly name: string;
  readonly typing: Typing;
  readonly value: unknown;
}

/** The parts of a value; undefined if its manager owns it as one value. */
function partsOf(typing: Typing, value: unknown): Part[] | undefined {
  if (Array.isArray(value)) return itemsOf(typing, value);
  if (!isObject(value) || isWhole(typing)) return undefined;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return fields.flatMap(([key, field]) => {
    const below = fieldTyping(typing, key);
    return below ? [{ name: `.${key}`, typing: below, value: field }] : [];
  });
}

function itemsOf(typing: Typing, list: readonly unknown[]): Part[] | undefined {
  const below = itemTyping(typing);
  const parts = list.map((value) => ({ name: itemName(typing, value) ?? '', typing: below, value }));
  return parts.length > 0 && parts.every(({ name }) => name !== '') ? parts : undefined;
}

/** Stands for an item of a list being there. */
const present = Symbol('present');

/** The fields of a value that can be owned, each with what it holds, as refusals name them: `.spec.parts[name="a"].size`. */
export function ownableFields(typing: Typing, value: unknown, path = ''): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  collect({ name: path, typing, value }, fields);
  return fields;
}

function collect({ name, typing, value }: Part, into: Map<string, unknown>): void {
  const parts = partsOf(typing, value);
  if (!parts || (parts.length === 0 && name !== '')) return void into.set(name, value);
  for (const part of parts) {
    if (part.name.startsWith('[') && isObject(part.value)) into.set(name + part.name, present);
    collect({ ...part, name: name + part.name }, into);
  }
}

/** The value with what is wanted merged into it: maps by their keys, lists by their items, all else replaced. */
export function mergedFields(typing: Typing, value: unknown, wanted: unknown): unknown {
  if (wanted === undefined) return value;
  if (Array.isArray(wanted)) return mergedItems(typing, Array.isArray(value) ? value : [], wanted);
  if (!isObject(wanted) || !isObject(value) || isWhole(typing)) return wanted;
  const fields = Object.entries(wanted).map(([key, field]) => {
    const below = fieldTyping(typing, key);
    return [key, below ? mergedFields(below, value[key], field) : field];
  });
  return { ...value, ...Object.fromEntries(fields) };
}

/**
 * The items that are wanted, in their order; those that are only there keep their places among what both have. Items
 * of both that are in another order are where they are wanted.
 */
function mergedItems(typing: Typing, list: readonly unknown[], wanted: readonly unknown[]): unknown[] {
  const below = itemTyping(typing);
  const nameOf = (item: unknown) => itemName(typing, item);
  const names = wanted.map(nameOf);
  if (!hasItems(typing) || names.includes(undefined)) return [...wanted];
  const here = new Map(list.map((item) => [nameOf(item), item]));
  const only = (item: unknown) => !names.includes(nameOf(item));
  let next = 0;
  const merged = wanted.flatMap((item, i) => {
    const shared = names.slice(i).find((name) => here.has(name));
    const from = next;
    while (next < list.length && nameOf(list[next]) !== shared) next += 1;
    const passed = list.slice(from, next).filter(only);
    if (names[i] === shared) next += 1;
    return [...passed, mergedFields(below, here.get(names[i]), item)];
  });
  return [...merged, ...list.slice(next).filter(only)];
}

/** The value without the fields that are gone, nor what is empty without them; undefined when nothing is left. */
export function withoutFields(
  typing: Typing,
  value: unknown,
  isGone: (path: string) => boolean,
  path = '',
): unknown {
  const parts = partsOf(typing, value);
  const isLeaf = !parts || parts.length === 0;
  if (isLeaf || path.endsWith(']')) {
    if (isGone(path)) return undefined;
    if (isLeaf) return value;
  }
  const left = parts.map((part) => withoutFields(part.typing, part.value, isGone, path + part.name));
  if (left.every((one, i) => one === parts[i]?.value)) return value;
  if (left.every((one) => one === undefined)) return undefined;
  if (Array.isArray(value)) return left.filter((one) => one !== undefined);
  const fields = parts.flatMap(({ name }, i) => (left[i] === undefined ? [] : [[name.slice(1), left[i]]]));
  return Object.fromEntries(fields);
}
