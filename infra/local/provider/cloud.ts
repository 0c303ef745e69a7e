import type { Operation } from '../../../shared/actuator/contract.ts';
import type {
  Actuator,
  ActuatorAnswer,
  ActuatorReport,
  ActuatorTarget,
  DeleteAnswer,
  Existence,
} from '../../../shared/actuator/port.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { secondsFrom } from '../controllers/machinery/objects.ts';
import type { ApiServer } from '../kubernetes/server/api-server.ts';
import { at, isObject } from '../kubernetes/server/json.ts';
import { tellsOfServer } from './identity.ts';
import { createRequestedFailures } from './requested-failures.ts';
import { type KeptServer, type Server, type ServerListener, Servers } from './servers.ts';
import { type CloudSettings, cloudAnnotations, defaultCloudSettings } from './settings.ts';

export type { Server } from './servers.ts';

/**
 * A slow cloud in this process. It makes one server for each Machine UID, and takes its time over starting and
 * stopping them. It fails where a Machine asks for it (see settings.ts).
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

/** How long to stay away when nothing tells when a server will be gone. */
const requeueAfterSeconds = 5;

/** The four operations on the servers of this cloud. */
function createCloudActuator(servers: Servers) {
  return {
    exists({ machine }: ActuatorTarget): Existence {
      const server = servers.of(machine);
      if (server === undefined) return { kind: 'absent' };
      const left = servers.secondsLeft(server);
      return { kind: 'exists', ...(left !== undefined && { retryAfterSeconds: left }) };
    },
    create({ machine }: ActuatorTarget): ActuatorAnswer {
      const why = whyUnusable(machine);
      if (why !== undefined) return { kind: 'failed', reason: 'InvalidConfiguration', message: why };
      const server = servers.of(machine);
      if (server?.state === 'stopping') return untilGone(server);
      return { kind: 'done', report: reportOf(server ?? servers.create(machine)) };
    },
    update({ machine }: ActuatorTarget): ActuatorAnswer {
      const server = servers.of(machine);
      if (server !== undefined) return { kind: 'done', report: reportOf(server) };
      return { kind: 'failed', reason: 'UpdateError', message: 'there is no server to update' };
    },
    delete({ machine }: ActuatorTarget): DeleteAnswer {
      const server = servers.of(machine);
      if (server === undefined) return { kind: 'accepted' };
      servers.stop(server, stopSecondsOf(machine));
      if (isDeletedOnce(machine)) return untilGone(server);
      return { kind: 'accepted' };
    },
  };

  function untilGone(server: KeptServer) {
    const afterSeconds = servers.secondsLeft(server) ?? requeueAfterSeconds;
    return { kind: 'retry', afterSeconds, message: `server ${server.providerId} is stopping` } as const;
  }
}

/** Who deletes v1alpha1 Machines asks no further once a delete was accepted. */
const isDeletedOnce = (machine: KubeObject): boolean => machine.apiVersion === 'cluster.k8s.io/v1alpha1';

/** This cloud takes the configuration of any other, as long as it is one. */
function whyUnusable({ spec }: KubeObject): string | undefined {
  const value = at(spec, 'providerSpec', 'value');
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return undefined;
  return `spec.providerSpec.value: must be an object, not ${JSON.stringify(value)}`;
}

function reportOf({ providerId, machine, state, address }: KeptServer): ActuatorReport {
  const addresses = [
    { type: 'InternalIP', address },
    { type: 'Hostname', address: machine.name },
  ];
  return {
    providerID: providerId,
    ...(state === 'running' && { addresses }),
    providerStatus: { instanceId: providerId, instanceState: state },
  };
}

function stopSecondsOf(machine: KubeObject): number | 'never' | undefined {
  if (machine.metadata.annotations?.[cloudAnnotations.neverStops] === 'true') return 'never';
  return secondsFrom(machine, cloudAnnotations.stopSeconds);
}

const resources = ['machines.machine.openshift.io', 'machines.cluster.k8s.io'];

/** The Machines whose servers a provider keeps; undefined where the API server knows none of that kind. */
export function providedMachines({ cluster }: ApiServer): KubeObject[] | undefined {
  const served = resources.filter((resource) => cluster.resources().includes(resource));
  return served.length === 0 ? undefined : served.flatMap((resource) => cluster.list(resource));
}

/** A slow cloud that has the servers which the Machines say that they have. */
export function createLocalCloud(
  machines: readonly KubeObject[],
  options: { clock: Clock; random: () => number },
): Cloud {
  const cloud = createCloud(options);
  for (const machine of machines) if (tellsOfServer(machine)) cloud.adopt(machine);
  return cloud;
}
