import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { Requeue } from '../../store/port.ts';
import { dueLookRetentionSeconds, expiryOf } from '../../store/retention.ts';
import { type Item, number, numberOf, text } from './attributes.ts';
import { dueShardOf } from './keys.ts';
import { fromMachineAttribute, toMachineAttribute } from './machine-ref.ts';

/** A look without the key of its item. One write says both when and where in the index: there is no moment between the two. */
export const toDueAttributes = (look: Requeue): Item => ({
  dueShard: text(dueShardOf(look.machine.uid)),
  dueAt: number(look.at),
  failures: number(look.failures),
  machine: toMachineAttribute(look.machine),
  expires: number(expiryOf(look.at, dueLookRetentionSeconds)),
  ...(look.isProvisional === true && { provisional: number(1) }),
  ...(look.isOfDeletion === true && { deletion: number(1) }),
});

type Update = Required<Pick<UpdateItemCommandInput, 'UpdateExpression' | 'ExpressionAttributeValues'>>;

/** Sets a look, and more, on an item that may have more than that: a claim, and what its steps have left. */
export function dueUpdate(look: Requeue, more: Item = {}, removed: readonly string[] = []): Update {
  const attributes = Object.entries({ ...toDueAttributes(look), ...more });
  const sets = attributes.map(([name]) => `${name} = :${name}`);
  const removes = ['provisional', 'deletion', ...removed].filter((name) =>
    attributes.every(([set]) => set !== name),
  );
  return {
    UpdateExpression: `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
    ExpressionAttributeValues: Object.fromEntries(attributes.map(([name, value]) => [`:${name}`, value])),
  };
}

/** Undefined for what another version, or somebody by hand, has put there. */
export function fromDueItem(item: Item): Requeue | undefined {
  const machine = fromMachineAttribute(item['machine']);
  const at = numberOf(item['dueAt']);
  if (machine === undefined || at === undefined) return undefined;
  const isProvisional = item['provisional'] !== undefined;
  const isOfDeletion = item['deletion'] !== undefined;
  return {
    machine,
    at,
    failures: numberOf(item['failures']) ?? 0,
    ...(isProvisional && { isProvisional }),
    ...(isOfDeletion && { isOfDeletion }),
  };
}
