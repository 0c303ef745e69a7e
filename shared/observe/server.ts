import type { Subject } from '../phase/definition.ts';
import { isForgiven, type ServerSeen } from '../phase/server.ts';
import type { Snapshot } from '../phase/snapshot.ts';

/** What the provider has answered so far; whether the server is still there is asked once its end was. */
export async function observeServer(snapshot: Snapshot, subject: Subject): Promise<ServerSeen> {
  const { termination } = subject.dialect;
  const asked = snapshot.termination;
  const seen: ServerSeen = { kind: 'server', asked, existence: undefined };
  if (asked === undefined || termination.by !== 'actuator' || termination.goneWhen === 'accepted')
    return seen;
  if (asked.kind !== 'accepted' && !isForgiven(subject, asked)) return seen;
  return { ...seen, existence: await snapshot.serverExistence() };
}
