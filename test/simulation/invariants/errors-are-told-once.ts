import { textAt } from '../../../shared/dialects/fields.ts';
import { conditionIn, olderConditionsOf } from '../../stories/stage/told-machine.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';

const statuses = 'machines.cluster.x-k8s.io/status';

/** Those in names are part of them. */
const withoutNumbers = (text: string): string => text.replaceAll(/(?<![\w-])\d+/g, '#');

/** Each attempt has another port. With it, every attempt would be news to all watchers of the Machine. */
export const errorsAreToldOnce: Invariant = {
  name: 'an error of a drain that differs in numbers alone is not told again',
  watch(world, _scenario, violated) {
    let before: string | undefined;
    const errorOf = ({ resource, namespace, name }: Exchange): string | undefined => {
      if (resource !== statuses) return undefined;
      const machine = world.management.get('machines.cluster.x-k8s.io', namespace, name);
      const draining = machine && conditionIn(olderConditionsOf(machine), 'DrainingSucceeded');
      return textAt(draining, 'reason') === 'DrainingFailed' ? textAt(draining, 'message') : undefined;
    };
    return {
      before(exchange) {
        before = errorOf(exchange);
      },
      after(exchange) {
        const after = errorOf(exchange);
        if (before === undefined || after === undefined || before === after) return;
        if (withoutNumbers(before) === withoutNumbers(after))
          violated(`${exchange.instance} tells again: ${after}`);
      },
    };
  },
};
