import { observeReferred } from '../shared/observe/owned-object.ts';
import { observeAgain } from '../shared/observe/recheck.ts';
import { observeServer } from '../shared/observe/server.ts';
import { definePhase } from '../shared/phase/definition.ts';
import { blindToReferred, decideReferred, type ReferredSeen } from '../shared/phase/owned-object.ts';
import { goBack, type StepBack } from '../shared/phase/retreat.ts';
import { decideServer, type ServerSeen, serverUnavailable } from '../shared/phase/server.ts';

const reason = 'WaitingForInfrastructureDeletion';

/** The Node has changed since its drain and the wait for volumes. */
interface Unprepared {
  kind: 'unprepared';
  back: StepBack;
}

/**
 * Has the server removed and waits until it is gone. Deletes the infrastructure object, or asks the provider where
 * the Machine API has no such objects.
 */
export const infrastructure = definePhase<ReferredSeen | ServerSeen | Unprepared>({
  name: 'infrastructure',

  async observe(snapshot, subject) {
    if (subject.dialect.termination.by === 'actuator') return observeServer(snapshot, subject);
    const seen = await observeReferred(snapshot, subject.machine, 'infrastructure');
    const back = await observeAgain(snapshot, subject, seen);
    return back === undefined ? seen : { kind: 'unprepared', back };
  },

  decide(subject, seen, now) {
    if (seen.kind === 'server') return decideServer(subject, seen, now);
    if (seen.kind === 'unprepared') return goBack(seen.back);
    return decideReferred(seen, reason);
  },

  onUnavailable: (subject, why, now) =>
    subject.dialect.termination.by === 'object'
      ? blindToReferred(subject.machine.infrastructure, reason, why)
      : serverUnavailable(subject, why, now),
});
