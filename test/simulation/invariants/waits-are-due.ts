import { textAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from './invariant.ts';
import { looksIn } from './sight/on-record.ts';
import { watchTrouble } from './sight/trouble.ts';

/** A look that is due soon may be overdue before the instance that set it logs it. */
const overdueMilliseconds = 30_000;

const waiting = /^(Deletion waits|Deletion is held up|Drain not completed yet, requeuing in .*)$/;

/**
 * What is watched for may be missed, and a list of all comes minutes later. Another instance may let the Machine go
 * meanwhile.
 */
export const waitsAreDue: Invariant = {
  name: 'whoever waits has it on record when to look again',
  watch(world, _scenario, violated) {
    const trouble = watchTrouble(world);
    return {
      hit: trouble.hit,
      calm: trouble.calm,
      logged(instance, _level, message, fields) {
        if (!waiting.test(message) || !trouble.isOver() || world.instances().length > 1) return;
        const uid = textAt(fields, 'uid') ?? '';
        const isDue = looksIn(world).some(
          ({ machineUid, at }) => machineUid === uid && at > world.now() - overdueMilliseconds,
        );
        if (!isDue) violated(`${instance} waits with Machine ${textAt(fields, 'Machine')}: nothing is due`);
      },
    };
  },
};
