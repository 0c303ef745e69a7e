import type { Subject } from './phase-definition.ts';
import type { Look } from './runtime/look.ts';
import type { ServerSeen } from './server.ts';

/** What the provider has answered so far; whether the server is still there is asked once its end was. */
export async function observeServer(look: Look, { dialect, machine }: Subject): Promise<ServerSeen> {
  const { termination } = dialect;
  const asked = look.termination;
  const seen: ServerSeen = { kind: 'server', asked, existence: undefined };
  if (asked === undefined || termination.by !== 'actuator' || termination.goneWhen === 'accepted')
    return seen;
  if (asked.kind !== 'accepted' && !termination.forgives(machine, asked)) return seen;
  return { ...seen, existence: await look.serverExistence() };
}
