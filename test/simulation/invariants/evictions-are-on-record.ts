import { textAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from './invariant.ts';
import { recordsOf, whileStoreIsWell } from './sight/on-record.ts';

/**
 * Whoever looks next, another instance for one, has to know of it. While something is wrong with the store an eviction
 * is not held up, nor by an instance that stands still over its answer; and what a record says is kept for a day only.
 */
export const evictionsAreOnRecord: Invariant = {
  name: 'an eviction that is told is on record for whoever looks next',
  watch: (world, _scenario, violated) =>
    whileStoreIsWell(({ id, kind, uid, data }) => {
      if (kind !== 'pod.evicted') return;
      const pod = textAt(data, 'pod', 'uid') ?? '';
      const isKnown = recordsOf(world, uid).some(({ sk }) => sk?.S?.endsWith(pod) === true);
      if (!isKnown) violated(`${id} is told, and the table does not know of it`);
    }),
};
