import { advance } from '../../events/advance.ts';
import { factEvent } from '../../events/fact.ts';
import type { OutEvent } from '../../events/types.ts';
import type { Actuator } from '../../shared/actuator/port.ts';
import { Pace } from '../../shared/async/pace.ts';
import { createUnderWay, KeyedQueue } from '../../shared/async/under-way.ts';
import { Cache } from '../../shared/cache/cache.ts';
import type { Handler } from '../../shared/http/function.ts';
import type { Outbox } from '../../shared/http/outbox/outbox.ts';
import type { Kubernetes, WorkloadClusters } from '../../shared/kubernetes/client.ts';
import type { Advance } from '../../shared/machine/messages.ts';
import { forgetGone } from '../../shared/read/snapshot-sources.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import type { Config } from '../../shared/runtime/config.ts';
import { dialectsFor } from '../../shared/runtime/dialects-for.ts';
import type { Environment, StepResult } from '../../shared/runtime/environment.ts';
import type { InstanceLog } from '../../shared/runtime/log.ts';
import { type Metrics, noMetrics } from '../../shared/runtime/metrics.ts';
import { noTicks, type Ticks } from '../../shared/runtime/ping-schedule.ts';
import { noTracing, type Tracing } from '../../shared/runtime/tracing.ts';
import type { Store } from '../../shared/store/port.ts';
import type { Clock } from '../../shared/time/clock.ts';
import { UnderLoad } from '../../shared/turns/load-limit.ts';
import { PendingEvents } from '../../shared/turns/pending-events.ts';
import { noWakeUps, type WakeUpOptions, WatchingWakeUps } from '../../shared/wake-ups/wake-ups.ts';
import type { Step } from './ask.ts';
import { handlersOf } from './handlers.ts';
import { hookCallsOf } from './hook-calls.ts';
import { namedObject } from './named-object.ts';
import { phaseFunctions } from './phases.ts';
import { createPingTicks } from './ping-ticks.ts';
import { tickingStore } from './ticking-store.ts';
import { wake } from './wake.ts';

/** A fleet of thousands gets its hooks in minutes, and its API server notices nothing. */
const registrationsPerSecond = 20;

export interface InstanceOptions {
  management: Kubernetes;
  workloads: WorkloadClusters;
  actuator: Actuator;
  store: Store;
  clock: Clock;
  random: () => number;
  log: InstanceLog;
  /** Counts nothing unless given. */
  metrics?: Metrics;
  /** Traces nothing unless given. */
  tracing?: Tracing;
  config: Config;
  /** Sends events other than replies to the broker. */
  outbox: Pick<Outbox, 'send' | 'publish'>;
  /** Name of this instance, for the history. */
  name: string;
  /** It runs on no Node of any cluster, and so on no Machine. */
  isOutside?: boolean;
}

/** All functions of one process, and what they share. */
export interface Instance {
  environment: Environment;
  /** By the names that serverless.yml gives them. */
  handlers: Record<string, Handler>;
  /** The steps that are being taken now. */
  steps(): Advance[];
  /** Drops wake-ups and lets what has begun come to its end: no checkpoint is left half-written. */
  close(): Promise<void>;
}

/** The composition root: everything a function uses is made or passed in here. */
export function createInstance(options: InstanceOptions): Instance {
  warnOfOwnMachine(options);
  const steps = createUnderWay<Advance>();
  const waking = createUnderWay<Advance>();
  const cache = new Cache(options.clock);
  const wakeNow = (command: Advance): Promise<void> =>
    waking.during(command, () => wake({ ...options, tracing, step }, command));
  const wakeUps = wakeUpsOf(options, cache, (command) => void wakeNow(command));
  const environment = environmentOf(options, cache, wakeUps);
  const { tracing, machineQueue } = environment;

  const step: Step = (command, log, reserveCapacity) =>
    steps.during(command, async () => {
      const phase = phaseFunctions[command.phase];
      const env: Environment = { ...environment, log, reserveCapacity };
      const result = await reconcilePhase(env, phase, command, (facts) => {
        published({ facts }, options);
      });
      return published(result, options);
    });

  return {
    environment,
    handlers: handlersOf(environment, step, {
      publish: (facts) => void published({ facts }, options),
      wake: wakeNow,
    }),
    steps: () => steps.all(),
    async close() {
      wakeUps?.close();
      await machineQueue.idle();
      // The command of a wake-up's step is no reply: it goes to the broker.
      await waking.idle();
    },
  };
}

function environmentOf(
  options: InstanceOptions,
  cache: Cache,
  wakeUps: WatchingWakeUps | undefined,
): Environment {
  const { actuator, store, clock, random, log, config } = options;
  const { metrics = noMetrics, tracing = noTracing } = options;
  const load = new UnderLoad(clock, metrics);
  const { requeueAfterSeconds, considerVolumeAttachments, nodeConditions, actions, observeEvents } = config;
  const { namespaces, watchFilter, ownNode } = config;
  const lease = namedObject(config.lease);
  const ticks = ticksOf(options);
  return {
    management: load.timed(options.management),
    workloads: options.workloads,
    actuator,
    hooks: hookCallsOf(options),
    store: tickingStore(store, ticks),
    clock,
    random,
    log,
    metrics,
    tracing,
    cache,
    machineQueue: new KeyedQueue(),
    pendingEvents: new PendingEvents(),
    loadLimit: load.places,
    phaseOf: (name) => phaseFunctions[name],
    registrations: new Pace(clock, registrationsPerSecond),
    wakeUps: wakeUps ?? noWakeUps,
    ticks,
    dialects: dialectsFor(config),
    settings: {
      requeueAfterSeconds,
      considerVolumeAttachments,
      nodeConditions,
      actions,
      observeEvents,
      namespaces,
      watchFilter,
      ownNode,
      lease,
    },
    instance: options.name,
    bornAt: clock.now(),
  };
}

function warnOfOwnMachine({ isOutside = false, config, log }: InstanceOptions): void {
  if (isOutside || config.ownNode !== '' || !dialectsFor(config).some((dialect) => dialect.sparesOwnMachine))
    return;
  log.warn('NODE_NAME is not set: a cluster.k8s.io Machine is deleted even if this instance runs on it');
}

/** Only if a PingSource may rest is its name set; on the local platform none may. */
function ticksOf({ management: kubernetes, clock, log, config }: InstanceOptions): Ticks {
  const pingSource = namedObject(config.duePingSource);
  return pingSource === undefined ? noTicks : createPingTicks({ kubernetes, clock, log, pingSource });
}

function wakeUpsOf(
  options: InstanceOptions,
  cache: Cache,
  onEnd: (command: Advance) => void,
): WatchingWakeUps | undefined {
  const { management, workloads, clock, log, metrics = noMetrics, config } = options;
  if (!config.wakeUps) return undefined;
  const { wakeUpsMax: maxMachines, wakeUpSeconds: lifetimeSeconds } = config;
  const watched = { management, workloads, clock, log, metrics };
  const gone: WakeUpOptions['gone'] = (...what) => forgetGone(cache, ...what);
  return new WatchingWakeUps({ ...watched, gone, wake: onEnd, maxMachines, lifetimeSeconds });
}

/** Facts are told in the background, so that no effect waits for a listener; the command is the reply. */
function published(
  { next, facts }: StepResult,
  { clock, outbox, tracing = noTracing }: InstanceOptions,
): OutEvent[] {
  const trace = tracing.current();
  for (const fact of facts) outbox.publish({ ...factEvent(fact, clock.now()), ...trace });
  return next === undefined ? [] : [advance(next, clock.now())];
}
