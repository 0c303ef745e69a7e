import { advance } from '../../events/advance.ts';
import { announce } from '../../events/announce.ts';
import type { OutEvent } from '../../events/types.ts';
import type { Actuator } from '../../shared/actuator/port.ts';
import type { Advance } from '../../shared/announcement.ts';
import type { Clock } from '../../shared/clock.ts';
import { CouldNotLook, type Kubernetes, type WorkloadClusters } from '../../shared/kubernetes/port.ts';
import type { Config } from '../../shared/runtime/config.ts';
import type { Environment, StepResult } from '../../shared/runtime/environment.ts';
import type { Handler } from '../../shared/runtime/http/function.ts';
import { NotDelivered } from '../../shared/runtime/http/failures.ts';
import type { Outbox } from '../../shared/runtime/http/outbox.ts';
import type { Log } from '../../shared/runtime/log.ts';
import { Memory } from '../../shared/runtime/memory.ts';
import { type Metrics, noMetrics } from '../../shared/runtime/metrics.ts';
import { runPhase } from '../../shared/runtime/run-phase.ts';
import { aboutMachine } from '../../shared/runtime/step-log.ts';
import { noTicks, type Ticks } from '../../shared/runtime/ticks.ts';
import { namingTrace, ofMachine } from '../../shared/runtime/traced.ts';
import { noTracing, type Tracing } from '../../shared/runtime/tracing.ts';
import { Turns } from '../../shared/runtime/turns.ts';
import { createUnderWay } from '../../shared/runtime/under-way.ts';
import { noWakeUps, WatchingWakeUps } from '../../shared/runtime/wake-ups.ts';
import type { Store } from '../../shared/store/port.ts';
import type { Step } from './ask.ts';
import { dialectsOf } from './dialects.ts';
import { handlersOf } from './handlers.ts';
import { createPingTicks } from './ping-ticks.ts';
import { tickingStore } from './ticking-store.ts';
import { phaseFunctions } from './phases.ts';

export interface InstanceOptions {
  management: Kubernetes;
  workloads: WorkloadClusters;
  actuator: Actuator;
  store: Store;
  clock: Clock;
  random: () => number;
  log: Log;
  /** Counts nothing unless given. */
  metrics?: Metrics;
  /** Traces nothing unless given. */
  tracing?: Tracing;
  config: Config;
  /** The way to the broker for what is not a reply. */
  outbox: Pick<Outbox, 'send' | 'tell'>;
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
  const wakeUps = wakeUpsOf(options, (command) => void waking.during(command, () => wake(command)));
  const ticks = ticksOf(options);
  const environment: Environment = {
    management: options.management,
    workloads: options.workloads,
    actuator: options.actuator,
    store: tickingStore(options.store, ticks),
    clock: options.clock,
    random: options.random,
    log: options.log,
    metrics: options.metrics ?? noMetrics,
    tracing: options.tracing ?? noTracing,
    memory: new Memory(options.clock),
    turns: new Turns(),
    wakeUps: wakeUps ?? noWakeUps,
    ticks,
    dialects: dialectsOf(options.config),
    settings: {
      lookAgainSeconds: options.config.lookAgainSeconds,
      considerVolumeAttachments: options.config.considerVolumeAttachments,
      namespaces: options.config.namespaces,
      watchFilter: options.config.watchFilter,
      ownNode: options.config.ownNode,
    },
    instance: options.name,
  };

  const step: Step = (command, log) =>
    steps.during(command, async () => {
      const result = await runPhase({ ...environment, log }, phaseFunctions[command.phase], command);
      return told(result, options);
    });

  /** A wait has ended: the same step runs at once, and its command goes through the broker like any other. */
  const wake = (command: Advance): Promise<void> => {
    const attributes = { ...ofMachine(command.machine), 'phaseout.phase': command.phase };
    const { tracing } = environment;
    return tracing.span('wake-up', { parent: command.trace, attributes }, () =>
      woken(command, namingTrace(options.log, tracing)),
    );
  };

  async function woken(command: Advance, log: Log): Promise<void> {
    try {
      for (const event of await steppedOrAgain(command, log)) await options.outbox.send(event);
    } catch (error) {
      // Nothing is lost: the look that was saved as due is still due.
      const isExpected = error instanceof CouldNotLook || error instanceof NotDelivered;
      const fields = { ...aboutMachine(command.machine), error };
      log[isExpected ? 'warn' : 'error']('Wake-up ended without a step', fields);
    }
  }

  /** Nobody repeats a wake-up, but the broker repeats a command: with it a passing error costs moments, not the wait. */
  async function steppedOrAgain(command: Advance, log: Log): Promise<OutEvent[]> {
    try {
      return await step(command, log);
    } catch (error) {
      if (!(error instanceof CouldNotLook)) throw error;
      const about = aboutMachine(command.machine);
      log.debug('Wake-up is left to the broker', { ...about, why: error.message });
      return [advance(command, options.clock.now())];
    }
  }

  return {
    environment,
    handlers: handlersOf(environment, step),
    steps: () => steps.all(),
    async close() {
      wakeUps?.close();
      await environment.turns.idle();
      // What a wake-up's step said is no reply: it is on its way to the broker.
      await waking.idle();
    },
  };
}

function warnOfOwnMachine({ isOutside = false, config, log }: InstanceOptions): void {
  if (isOutside || config.ownNode !== '' || !dialectsOf(config).some((dialect) => dialect.sparesOwnMachine))
    return;
  log.warn('NODE_NAME is not set: a cluster.k8s.io Machine is deleted even if this instance runs on it');
}

/** The PingSource is named where one is to rest; on the local platform none is. */
function ticksOf({ management: kubernetes, clock, log, config }: InstanceOptions): Ticks {
  const [namespace = '', name = ''] = config.duePingSource?.split('/') ?? [];
  return name === '' ? noTicks : createPingTicks({ kubernetes, clock, log, pingSource: { namespace, name } });
}

function wakeUpsOf(options: InstanceOptions, wake: (command: Advance) => void): WatchingWakeUps | undefined {
  const { management, workloads, clock, log, metrics = noMetrics, config } = options;
  if (!config.wakeUps) return undefined;
  const { wakeUpsMax: most, wakeUpSeconds: lifetimeSeconds } = config;
  return new WatchingWakeUps({ management, workloads, clock, log, metrics, wake, most, lifetimeSeconds });
}

/** Facts are told in the background, so that no effect waits for a listener; the command is the reply. */
function told(
  { next, announcements }: StepResult,
  { clock, outbox, tracing = noTracing }: InstanceOptions,
): OutEvent[] {
  const trace = tracing.current();
  for (const fact of announcements) outbox.tell({ ...announce(fact, clock.now()), ...trace });
  return next === undefined ? [] : [advance(next, clock.now())];
}
