import { observeReferred } from '../shared/observe-referred.ts';
import { definePhase } from '../shared/phase-definition.ts';
import { observeServer } from '../shared/observe-server.ts';
import { blindToReferred, decideReferred, type ReferredSeen } from '../shared/referred-object.ts';
import { blindToServer, decideServer, type ServerSeen } from '../shared/server.ts';

const reason = 'WaitingForInfrastructureDeletion';

/**
 * Has the server removed and waits until it is gone: by deleting the infrastructure object, or through the provider
 * where the Machine API has no such objects.
 */
export const infrastructure = definePhase<ReferredSeen | ServerSeen>({
  name: 'infrastructure',

  observe: (look, subject) =>
    subject.dialect.termination.by === 'object'
      ? observeReferred(look, subject.machine.infrastructure, 'infrastructure')
      : observeServer(look, subject),

  decide: (subject, seen, now) =>
    seen.kind === 'server' ? decideServer(subject, seen, now) : decideReferred(seen, reason),

  blind: (subject, why, now) =>
    subject.dialect.termination.by === 'object'
      ? blindToReferred(subject.machine.infrastructure, reason, why)
      : blindToServer(subject, why, now),
});
