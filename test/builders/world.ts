import * as z from 'zod';
import { noActuator } from '../../shared/actuator/port.ts';
import { Pace } from '../../shared/async/pace.ts';
import { KeyedQueue } from '../../shared/async/under-way.ts';
import { Cache } from '../../shared/cache/cache.ts';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import { recordAt } from '../../shared/dialects/fields.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import type { Advance } from '../../shared/machine/messages.ts';
import type { WaitsFor } from '../../shared/phase/decision.ts';
import type { Environment } from '../../shared/runtime/environment.ts';
import { noMetrics } from '../../shared/runtime/metrics.ts';
import { noTicks } from '../../shared/runtime/ping-schedule.ts';
import { noTracing } from '../../shared/runtime/tracing.ts';
import { createMemoryStore } from '../../shared/store/in-memory.ts';
import type { Store } from '../../shared/store/port.ts';
import { PendingEvents } from '../../shared/turns/pending-events.ts';
import { clockOf } from './clock.ts';
import { aCluster, after, aRawMachine } from './cluster-api.ts';
import { FakeCluster } from './fake-cluster.ts';
import { aNode } from './subject.ts';

export const machinePath = 'machines/default/m-1';

export interface World {
  env: Environment;
  management: FakeCluster;
  workload: FakeCluster;
  /** Writes of both clusters, of the store and of wake-ups, in the order in which they came. */
  log: string[];
  said: string[];
  /** What was reported as a mistake of ours. */
  errors: object[];
  kept: { advance: Advance; until: WaitsFor[] }[];
  /** `passed` says how much time has passed where `now` does not: after the clock was set back. */
  time: { now: number; passed: number };
  /** Another instance in the same world. */
  another(): Environment;
}

/**
 * A management cluster and a workload cluster with a cordoned, empty Node. The first has a worker Machine that is being
 * deleted, with its infrastructure and bootstrap objects. Its Cluster has three control plane Machines. Ten seconds
 * after the deletion.
 */
export function aWorld(
  machine: KubeObject = aRawMachine(),
  settings: Partial<Environment['settings']> = {},
): World {
  const log: string[] = [];
  const management = new FakeCluster(log);
  const workload = new FakeCluster(log);
  const world = {
    log,
    management,
    workload,
    said: [],
    errors: [],
    kept: [],
    time: { now: after(10), passed: 0 },
  };
  management.put('machines', machine);
  management.put('clusters', aCluster());
  for (const name of ['cp-1', 'cp-2', 'cp-3']) management.put('machines', aControlPlaneMachine(name));
  management.put('servers', {
    metadata: { namespace: 'default', name: 'm-1', finalizers: ['infra.example/s'] },
  });
  management.put('configs', { metadata: { namespace: 'default', name: 'm-1' } });
  workload.put('nodes', aNode());
  const store = loggedStore(createMemoryStore(clockOf(() => world.time.now)), log);
  let others = 0;
  const named = (instance: string): Environment => ({ ...environment(world, store, settings), instance });
  return { ...world, env: named('test'), another: () => named(`another-${(others += 1)}`) };
}

/** Alive, with our finalizer already on it. */
function aControlPlaneMachine(name: string): KubeObject {
  const labels = { 'cluster.x-k8s.io/cluster-name': 'c', 'cluster.x-k8s.io/control-plane': '' };
  const { deletionTimestamp: _, ...metadata } = aRawMachine({
    metadata: { name, uid: `uid-${name}`, labels },
  }).metadata;
  const spec = { providerID: `x://${name}` };
  return { ...aRawMachine({ spec, status: { nodeRef: { name: `node-${name}` } } }), metadata };
}

/** Another Machine of the same Cluster and API, which lives and has this providerID. */
export function aRival(of: KubeObject = aRawMachine(), providerID = 'x://other'): KubeObject {
  const { deletionTimestamp: _, ...metadata } = of.metadata;
  const labels = { 'cluster.x-k8s.io/cluster-name': 'c', ...metadata.labels };
  return {
    ...of,
    metadata: { ...metadata, name: 'm-9', uid: 'uid-9', labels },
    spec: { ...recordAt(of, 'spec'), providerID },
    status: {},
  };
}

function environment(
  { management, workload, log, said, errors, kept, time }: Omit<World, 'env' | 'another'>,
  store: Store,
  settings: Partial<Environment['settings']>,
): Omit<Environment, 'instance'> {
  const clock = clockOf(
    () => time.now,
    () => time.passed,
  );
  const say = (message: string): void => void said.push(message);
  const error = (message: string, fields: object = {}): void => {
    say(message);
    errors.push(fields);
  };
  const speaking: Environment['log'] = { debug: say, info: say, warn: say, error, child: () => speaking };
  return {
    management,
    workloads: { of: async () => workload },
    actuator: noActuator,
    store,
    clock,
    random: () => 0,
    log: speaking,
    metrics: noMetrics,
    tracing: noTracing,
    cache: new Cache(clock),
    machineQueue: new KeyedQueue(),
    pendingEvents: new PendingEvents(),
    registrations: new Pace(clock, 20),
    ticks: noTicks,
    wakeUps: {
      keep(advance, until) {
        log.push('keep wake-ups');
        kept.push({ advance, until });
      },
      drop: () => void log.push('drop wake-ups'),
    },
    dialects: [clusterApi],
    settings: {
      requeueAfterSeconds: 20,
      considerVolumeAttachments: true,
      nodeConditions: false,
      actions: new Set(),
      observeEvents: false,
      namespaces: [],
      watchFilter: '',
      ownNode: '',
      ...settings,
    },
    bornAt: time.now,
  };
}

function loggedStore(store: Store, log: string[]): Store {
  return {
    ...store,
    async schedule(look) {
      log.push('schedule');
      return store.schedule(look);
    },
    async claim(claim) {
      log.push('claim');
      return store.claim(claim);
    },
    async release(release) {
      log.push('release');
      return store.release(release);
    },
    async unschedule(uid, look) {
      log.push('unschedule');
      await store.unschedule(uid, look);
    },
    async appendHistory(machine, entries) {
      log.push(`history ${entries.map(({ what }) => what).join(', ')}`);
      await store.appendHistory(machine, entries);
    },
    async recordEvictions(machine, evictions) {
      log.push(`record ${evictions.length} evictions`);
      await store.recordEvictions(machine, evictions);
    },
  };
}

/** The checkpoint that is saved on the Machine. */
export function savedCheckpoint({ management }: World): unknown {
  const text = management.at(machinePath)?.metadata.annotations?.['phaseout.dev/checkpoint'];
  return text === undefined ? undefined : JSON.parse(text);
}

/** What the Machine's users read of its deletion. */
export function deletingCondition({ management }: World): { reason: string; message: string } | undefined {
  const status = z.object({ conditions: z.array(condition).default([]) }).default({ conditions: [] });
  const { conditions } = status.parse(management.at(machinePath)?.['status']);
  const found = conditions.find(({ type }) => type === 'Deleting');
  return found && { reason: found.reason, message: found.message };
}

const condition = z.object({ type: z.string(), reason: z.string(), message: z.string() });

export const atCheckpoint = (
  checkpoint: Checkpoint,
  annotations: Record<string, string> = {},
): Record<string, string> => ({ 'phaseout.dev/checkpoint': JSON.stringify(checkpoint), ...annotations });

export const aCommand = (command: Partial<Advance> = {}): Advance => ({
  machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'default', name: 'm-1', uid: 'uid-1' },
  phase: 'drain',
  seq: 1,
  ...command,
});
