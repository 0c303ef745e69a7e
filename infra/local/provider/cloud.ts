import type { Operation } from '../../../shared/actuator/contract.ts';
import type { Actuator, ActuatorTarget } from '../../../shared/actuator/port.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { createCloudActuator } from './cloud-actuator.ts';
import { createRequestedFailures } from './requested-failures.ts';
import { type Server, type ServerListener, Servers } from './servers.ts';
import { type CloudSettings, defaultCloudSettings } from './settings.ts';

export type { Server } from './servers.ts';

/**
 * A slow cloud in this process. It makes one server for each Machine UID, takes its time over starting and stopping
 * them, and fails where a Machine asks for it (see settings.ts).
 */
export interface Cloud extends Actuator {
  servers(): readonly Server[];
  /** A server that was there before this cloud was: of a Machine that has a providerID or nodeRef. */
  adopt(machine: KubeObject): void;
  /** Told after each change; with `isGone` the server is no more. Returns the way to stop listening. */
  onChange(listener: ServerListener): () => void;
  /** Nothing changes any more, and calls that hang are answered with Unavailable. */
  close(): void;
}

export interface CloudOptions {
  clock: Clock;
  random: () => number;
  settings?: Partial<CloudSettings>;
}

export function createCloud(options: CloudOptions): Cloud {
  const settings = { ...defaultCloudSettings, ...options.settings };
  const servers = new Servers({ ...options, settings });
  const failures = createRequestedFailures(options.clock, settings);
  const actuator = createCloudActuator(servers);
  const failureOf = (operation: Operation, { machine }: ActuatorTarget) => failures.next(operation, machine);

  return {
    exists: async (target) => (await failureOf('exists', target)) ?? actuator.exists(target),
    create: async (target) => (await failureOf('create', target)) ?? actuator.create(target),
    update: async (target) => (await failureOf('update', target)) ?? actuator.update(target),
    delete: async (target) => (await failureOf('delete', target)) ?? actuator.delete(target),
    servers: () => servers.all(),
    adopt: (machine) => servers.adopt(machine),
    onChange: (listener) => servers.onChange(listener),
    close() {
      servers.close();
      failures.close();
    },
  };
}
