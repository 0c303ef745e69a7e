import { textAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from './invariant.ts';
import { factOf } from './sight/fact.ts';
import { watchTrouble } from './sight/trouble.ts';

/** Where several instances look after one Machine, each of them may be the first to report it. */
export const refusalsAreNews: Invariant = {
  name: 'a refusal is told once, until there is another one',
  watch(world, _scenario, violated) {
    /** By the UIDs of Pods. */
    const told = new Map<string, string>();
    const trouble = watchTrouble(world, () => told.clear());
    return {
      hit: trouble.hit,
      calm: trouble.calm,
      event(event) {
        const fact = factOf(event);
        if (fact?.kind !== 'pod.refused' || !trouble.isOver() || world.instances().length > 1) return;
        const { data } = fact;
        const pod = textAt(data, 'pod', 'uid') ?? '';
        const refusal = `${textAt(data, 'cause')}: ${textAt(data, 'message')}`;
        if (told.get(pod) === refusal)
          violated(`Pod ${textAt(data, 'pod', 'namespace')}/${textAt(data, 'pod', 'name')}: ${refusal}`);
        told.set(pod, refusal);
      },
    };
  },
};
