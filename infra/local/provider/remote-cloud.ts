import type { Actuator, ActuatorTarget, Existence } from '../../../shared/actuator/port.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import type { Cloud } from './cloud.ts';
import { identityOf, newProviderId, providerIdIn, uidOf } from './identity.ts';
import type { Server, ServerListener } from './servers.ts';

const askAgainMilliseconds = 1_000;

interface Remote extends Server {
  target: ActuatorTarget;
}

/**
 * An outside provider as a cloud of the local platform. It does not report when a server comes or goes. It is asked
 * for those that this platform makes or ends. Servers that were taken over are believed to run: it may never have
 * heard of them.
 */
export function createRemoteCloud({ actuator, clock }: { actuator: Actuator; clock: Clock }): Cloud {
  const byUid = new Map<string, Remote>();
  const listeners = new Set<ServerListener>();
  let stopAsking: (() => void) | undefined;
  let isClosed = false;

  const tell = ({ target: _target, ...server }: Remote, isGone = false): void => {
    for (const listener of listeners) listener(server, isGone);
  };
  const enter = (server: Remote, state: Server['state']): void => {
    server.state = state;
    tell(server);
    askSoon();
  };
  function keep(target: ActuatorTarget, state: Server['state'], providerId?: string): void {
    const machine = identityOf(target.machine);
    const known = providerId ?? providerIdIn(target.machine) ?? newProviderId(target.machine);
    const server: Remote = { target, machine, providerId: known, state };
    byUid.set(machine.uid, server);
    enter(server, state);
  }

  function askSoon(): void {
    if (isClosed || stopAsking !== undefined || !hasUnsettled(byUid)) return;
    stopAsking = clock.after(askAgainMilliseconds, () => void askAll());
  }
  async function askAll(): Promise<void> {
    const unsettled = [...byUid.values()].filter(isUnsettled);
    for (const server of unsettled) learn(server, await existenceOf(actuator, server.target));
    stopAsking = undefined;
    askSoon();
  }
  function learn(server: Remote, existence: Existence | undefined): void {
    if (isClosed || byUid.get(server.machine.uid) !== server) return;
    if (server.state === 'creating' && existence?.kind === 'exists') enter(server, 'running');
    if (server.state !== 'stopping' || existence?.kind !== 'absent') return;
    byUid.delete(server.machine.uid);
    tell(server, true);
  }

  return {
    exists: (target) => actuator.exists(target),
    update: (target) => actuator.update(target),
    async create(target) {
      const answer = await actuator.create(target);
      const isNew = !byUid.has(uidOf(target.machine));
      if (answer.kind === 'done' && isNew) keep(target, 'creating', answer.report.providerID);
      return answer;
    },
    async delete(target) {
      const server = byUid.get(uidOf(target.machine));
      if (server !== undefined && server.state !== 'stopping') enter(server, 'stopping');
      return actuator.delete(target);
    },
    servers: () => [...byUid.values()].map(({ target: _target, ...server }) => server),
    adopt(machine) {
      if (!byUid.has(uidOf(machine))) keep({ machine, cluster: undefined }, 'running');
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      isClosed = true;
      stopAsking?.();
      listeners.clear();
    },
  };
}

const isUnsettled = ({ state }: Server): boolean => state !== 'running';

const hasUnsettled = (servers: ReadonlyMap<string, Server>): boolean =>
  [...servers.values()].some(isUnsettled);

/** Undefined when it could not be asked: it is asked again. */
async function existenceOf(actuator: Actuator, target: ActuatorTarget): Promise<Existence | undefined> {
  try {
    return await actuator.exists(target);
  } catch (error) {
    if (error instanceof Unavailable) return undefined;
    throw error;
  }
}
