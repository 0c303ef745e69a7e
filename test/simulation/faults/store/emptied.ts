import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { tableKeys } from '../../store/keys.ts';
import type { World } from '../../world.ts';
import type { Fault } from '../fault.ts';
import { atMoments } from '../moments.ts';

/** The store is memory and no law: deletions go on without what it knew. */
export const storeEmptied: Fault = {
  name: 'store-emptied',
  about: 'Somebody deletes all items of the table.',
  strike(setting) {
    const { world } = setting;
    atMoments(setting, 3, () => {
      const count = empty(world);
      if (count === 0) return;
      world.say('an operator', `deletes all ${count} items of the table`);
      world.hit(this.name);
    });
    return undefined;
  },
};

/** Answers how many there were. */
function empty({ table }: World): number {
  const items = table.items();
  const { hash, range } = tableKeys;
  for (const item of items) {
    const [first, second] = [item[hash], item[range]];
    if (first === undefined || second === undefined) continue;
    table.answer(new DeleteItemCommand({ TableName: 'phaseout', Key: { [hash]: first, [range]: second } }));
  }
  return items.length;
}
