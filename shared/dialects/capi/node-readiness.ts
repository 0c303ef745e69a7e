import type { Machine } from '../../machine/machine.ts';
import { conditionsIn, find } from '../conditions.ts';

/** Before v1beta2 there is only the second of them. */
const types = ['NodeReady', 'NodeHealthy'];

/** Whether the Machine's Node is Ready, as the Machine says. What its controller calls unknown is not Ready. */
export function nodeReadiness({ raw, nodeName }: Machine): boolean | undefined {
  if (nodeName === undefined) return undefined;
  const shown = conditionsIn(raw['status']);
  const condition = types.map((type) => find(shown, type)).find((each) => each !== undefined);
  return condition === undefined ? undefined : condition.status === 'True';
}
