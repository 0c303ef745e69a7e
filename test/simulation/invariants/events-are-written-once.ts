import { textAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from './invariant.ts';
import { standOf } from './sight/checkpoint.ts';
import { machineIn } from './sight/machine.ts';
import { watchTrouble } from './sight/trouble.ts';
import { witnessOf } from './sight/witness.ts';

/**
 * Two instances that take the same step write the same Event, and the server refuses the second one. Where something
 * goes wrong one may come late, when the deletion stands elsewhere.
 */
export const eventsAreWrittenOnce: Invariant = {
  name: 'an Event is written once for each step of a deletion',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const written = new Set<string>();
    const trouble = watchTrouble(world, () => written.clear());
    return {
      hit: trouble.hit,
      calm: trouble.calm,
      after({ verb, resource, instance, body }, { code }) {
        if (resource !== 'events' || verb !== 'create' || code >= 300 || !trouble.isOver()) return;
        const uid = textAt(body, 'involvedObject', 'uid') ?? '';
        const plan = witness.machineWithUid(uid);
        const machine = plan && machineIn(witness.past.present, plan);
        const stand = machine?.metadata.uid === uid ? standOf(machine) : undefined;
        if (stand === undefined) return;
        const [reason, message] = [textAt(body, 'reason'), textAt(body, 'message')];
        const event = `${uid} ${stand.seq} ${reason}: ${message}`;
        if (written.has(event)) violated(`${instance} writes again: ${reason}: ${message}`);
        written.add(event);
      },
    };
  },
};
