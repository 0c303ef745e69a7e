import { observeReferred } from '../shared/observe/owned-object.ts';
import { definePhase } from '../shared/phase/definition.ts';
import { blindToReferred, decideReferred } from '../shared/phase/owned-object.ts';

const reason = 'WaitingForBootstrapDeletion';

/** Deletes the bootstrap config and waits until it is gone. */
export const bootstrap = definePhase({
  name: 'bootstrap',
  observe: (snapshot, { machine }) => observeReferred(snapshot, machine, 'bootstrap'),
  decide: (_subject, seen) => decideReferred(seen, reason),
  onUnavailable: ({ machine }, why) => blindToReferred(machine.bootstrap, reason, why),
});
