import type { InstanceOptions } from '../../../infra/host/instance.ts';
import { noActuator } from '../../../shared/actuator/port.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { Advance } from '../../../shared/machine/messages.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { silent } from '../../../shared/runtime/log.ts';
import { createMemoryStore } from '../../../shared/store/in-memory.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';
import { watchedApi } from '../../shared/reconcile/watches.ts';

/** Something that an instance can be told to do. */
export const command: Advance = {
  machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'fleet', name: 'm-1', uid: 'uid-1' },
  phase: 'drain',
  seq: 3,
};

const unavailable = (): never => {
  throw new Unavailable('503 not now');
};

/** An instance that nothing comes of but what is asked of it. */
export function optionsOf(options: Partial<InstanceOptions> = {}): InstanceOptions {
  const { clock = manualClock() } = options;
  return {
    management: { ...watchedApi().api, get: unavailable },
    workloads: { of: unavailable },
    actuator: noActuator,
    store: createMemoryStore(clock),
    clock,
    random: () => 0,
    log: silent,
    config: readConfig({}),
    outbox: { send: async () => undefined, publish: () => undefined },
    name: 'test',
    ...options,
  };
}
