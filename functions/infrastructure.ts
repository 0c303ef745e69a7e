import { observeReferred } from '../shared/observe-referred.ts';
import { definePhase } from '../shared/phase-definition.ts';
import { blindToReferred, decideReferred } from '../shared/referred-object.ts';

const reason = 'WaitingForInfrastructureDeletion';

/** Deletes the infrastructure object and waits until it is gone: the server no longer exists. */
export const infrastructure = definePhase({
  name: 'infrastructure',
  observe: (look, { machine }) => observeReferred(look, machine.infrastructure, 'infrastructure'),
  decide: (_subject, seen) => decideReferred(seen, reason),
  blind: ({ machine }, why) => blindToReferred(machine.infrastructure, reason, why),
});
