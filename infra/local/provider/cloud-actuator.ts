import type {
  ActuatorAnswer,
  ActuatorReport,
  ActuatorTarget,
  DeleteAnswer,
  Existence,
} from '../../../shared/actuator/port.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { KeptServer, Servers } from './servers.ts';
import { cloudAnnotations } from './settings.ts';

/** How long to stay away when nothing tells when a server will be gone. */
const requeueAfterSeconds = 5;

/** The four operations on the servers of this cloud. */
export function createCloudActuator(servers: Servers) {
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
  const value = at(at(spec, 'providerSpec'), 'value');
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return undefined;
  return `spec.providerSpec.value: must be an object, not ${JSON.stringify(value)}`;
}

function at(object: unknown, key: string): unknown {
  const isObject = typeof object === 'object' && object !== null;
  return isObject ? Object.entries(object).find(([name]) => name === key)?.[1] : undefined;
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

function stopSecondsOf({ metadata }: KubeObject): number | 'never' | undefined {
  if (metadata.annotations?.[cloudAnnotations.neverStops] === 'true') return 'never';
  const text = metadata.annotations?.[cloudAnnotations.stopSeconds]?.trim();
  const seconds = text ? Number(text) : Number.NaN;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
