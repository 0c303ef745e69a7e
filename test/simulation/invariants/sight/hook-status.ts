import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';
import type { Effect } from './seen-effect.ts';

const fields = ['machines', 'waiting', 'heldUp', 'conditions'];

/** Its counts and the condition Ready, of the version and the UID that were listed. */
export function isHookStatus({ exchange: { body } }: Pick<Effect, 'exchange'>): boolean {
  const { metadata, status, ...more } = recordAt(body);
  const { conditions } = recordAt(status);
  return (
    Object.keys(more).length === 0 &&
    Object.keys(recordAt(metadata)).toSorted().join() === 'resourceVersion,uid' &&
    Object.keys(recordAt(status)).every((field) => fields.includes(field)) &&
    Array.isArray(conditions) &&
    conditions.map((each) => textAt(each, 'type')).join() === 'Ready'
  );
}
