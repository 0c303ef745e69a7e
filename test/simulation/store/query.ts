import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../shared/adapters/dynamodb/attributes.ts';
import type { Condition } from './condition.ts';
import { checkOperands, conditionOf, holds } from './hold.ts';
import { checkKey } from './keys.ts';
import { nameOf, type Operand, valueOf } from './operand.ts';
import { type Placeholders, placeholdersOf } from './placeholders.ts';
import { invalid } from './refusals.ts';
import { inOrderOf, type Keys, type View } from './view.ts';

/** How an answer may differ from all there is at this moment. */
export interface Reading {
  /** Answers as it was so many changes ago. */
  changesAgo?: number;
  /** At most so many items in one answer, whatever the limit. */
  most?: number;
}

export interface Page {
  Items: Item[];
  LastEvaluatedKey?: Item;
}

export function queried(view: View, input: QueryCommandInput, reading: Reading): Page {
  const expression = input.KeyConditionExpression ?? '';
  const given = placeholdersOf(input, [expression]);
  const condition = conditionOf(expression);
  checkOperands(condition, given);
  const partition = partitionIn(condition, view.keys, given);
  const items = view.read(partition, reading.changesAgo ?? 0).filter((item) => holds(condition, item, given));
  const most = Math.min(input.Limit ?? Infinity, reading.most ?? Infinity);
  if (most < 1) throw invalid(`Value '${most}' at 'limit' failed to satisfy constraint: at least 1`);
  return pageOf(after(items, input.ExclusiveStartKey, view.keys), most, view.keys);
}

/** Also checks that a query may have the condition: one partition, and a stretch of it in its order. */
function partitionIn(condition: Condition, keys: Keys, given: Placeholders): string {
  const parts = condition.kind === 'and' ? condition.parts : [condition];
  const about = parts.map((part) => comparedBy(part));
  const named = about.map(({ subject }) => nameOf(subject, given));
  const hash = parts[named.indexOf(keys.hash)];
  const isKeys =
    named.length === new Set(named).size && named.every((name) => Object.values(keys).includes(name));
  if (hash?.kind !== 'compare' || hash.operator !== '=' || !isKeys)
    throw invalid('Query key condition not supported');
  for (const [index, { operands }] of about.entries()) {
    for (const operand of operands) checkKey(named[index] ?? '', valueOf(operand, {}, given));
  }
  return valueOf(hash.right, {}, given)?.S ?? '';
}

/** What a part of a key condition speaks of, and with what it compares it. */
function comparedBy(part: Condition): { subject: Operand; operands: Operand[] } {
  if (part.kind === 'compare' && part.left.kind === 'path')
    return { subject: part.left, operands: [part.right] };
  if (part.kind === 'between') return { subject: part.subject, operands: [part.low, part.high] };
  if (part.kind === 'begins with') return { subject: part.subject, operands: [part.prefix] };
  throw invalid('Query key condition not supported');
}

/** The item that the last page ended with need not be there any more. */
function after(items: readonly Item[], start: Item | undefined, keys: Keys): readonly Item[] {
  if (start === undefined) return items;
  for (const name of keyNames(keys)) checkKey(name, start[name]);
  const inOrder = inOrderOf(keys);
  return items.filter((item) => inOrder(item, start) > 0);
}

/** A full page has a key to go on from even if nothing comes after it. */
function pageOf(items: readonly Item[], most: number, keys: Keys): Page {
  const Items = items.slice(0, most);
  const last = Items.at(-1);
  if (last === undefined || Items.length < most) return { Items };
  const LastEvaluatedKey = Object.fromEntries(
    Object.entries(last).filter(([name]) => keyNames(keys).has(name)),
  );
  return { Items, LastEvaluatedKey };
}

const keyNames = (keys: Keys): Set<string> => new Set(['pk', 'sk', keys.hash, keys.range]);
