import { textAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from './invariant.ts';
import { recordsOf, whileStoreIsWell } from './sight/on-record.ts';

/**
 * The next look, of another instance too, has to know of an eviction. Trouble with the store does not hold an eviction
 * up. Nor does an instance that stands still over the store's answer. A record lasts only a day.
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
