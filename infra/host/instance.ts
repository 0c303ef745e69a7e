import { advance } from '../../events/advance.ts';
import { announce } from '../../events/announce.ts';
import type { OutEvent } from '../../events/types.ts';
import { intake } from '../../functions/intake.ts';
import { sweep } from '../../functions/sweep.ts';
import { createEvictionLimit, type EvictionLimit } from '../../shared/adapters/kubernetes/eviction-limit.ts';
import type { Advance } from '../../shared/announcement.ts';
import type { Clock } from '../../shared/clock.ts';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import { MachineUnreadable } from '../../shared/dialects/dialect.ts';
import { CouldNotLook, type Kubernetes, type WorkloadClusters } from '../../shared/kubernetes/port.ts';
import type { Config } from '../../shared/runtime/config.ts';
import type { Environment, EvictAll, StepResult } from '../../shared/runtime/environment.ts';
import { defineFunction, type Handler } from '../../shared/runtime/http/function.ts';
import { MalformedEvent } from '../../shared/runtime/http/malformed-event.ts';
import type { Log } from '../../shared/runtime/log.ts';
import { Memory } from '../../shared/runtime/memory.ts';
import { runPhase } from '../../shared/runtime/run-phase.ts';
import { Turns } from '../../shared/runtime/turns.ts';
import { noWakeUps, WatchingWakeUps } from '../../shared/runtime/wake-ups.ts';
import { phases } from '../../shared/machine/phase.ts';
import type { Store } from '../../shared/store/port.ts';
import { Announcer, type Send } from './announcer.ts';
import { phaseFunctions } from './phases.ts';

export interface InstanceOptions {
  management: Kubernetes;
  workloads: WorkloadClusters;
  store: Store;
  clock: Clock;
  random: () => number;
  log: Log;
  config: Config;
  /** Hands an event to the broker. */
  send: Send;
  /** Name of this instance, for the history. */
  name: string;
}

/** All functions of one process, and what they share. */
export interface Instance {
  environment: Environment;
  /** By the names that serverless.yml gives them. */
  handlers: Record<string, Handler>;
  /** Drops wake-ups and waits until what is to be told has been told. */
  close(): Promise<void>;
}

/** The composition root: everything a function uses is made or passed in here. */
export function createInstance(options: InstanceOptions): Instance {
  const announcer = new Announcer(options.send, options.log);
  const wakeUps = wakeUpsOf(options, (command) => void wake(command));
  const environment: Environment = {
    management: options.management,
    workloads: options.workloads,
    evictAll: limitedEvictions(options),
    store: options.store,
    clock: options.clock,
    random: options.random,
    log: options.log,
    memory: new Memory(options.clock),
    turns: new Turns(),
    wakeUps: wakeUps ?? noWakeUps,
    dialects: [clusterApi],
    settings: {
      lookAgainSeconds: options.config.lookAgainSeconds,
      considerVolumeAttachments: options.config.considerVolumeAttachments,
      watchFilter: options.config.watchFilter,
    },
    instance: options.name,
  };

  const step = async (command: Advance): Promise<OutEvent[]> => {
    const result = await runPhase(environment, phaseFunctions[command.phase], command);
    return told(result, options.clock, announcer);
  };

  /** A wait has ended: the same step runs at once, and its command goes through the broker like any other. */
  async function wake(command: Advance): Promise<void> {
    try {
      for (const event of await step(command)) await options.send(event);
    } catch (error) {
      // Nothing is lost: the look that was saved as due is still due.
      const isExpected = error instanceof CouldNotLook;
      options.log[isExpected ? 'warn' : 'error']('Wake-up ended without a step', {
        machine: command.machine.name,
        error,
      });
    }
  }

  return {
    environment,
    handlers: { ...intakeAndSweep(environment, options.clock), ...phaseHandlers(step) },
    async close() {
      wakeUps?.close();
      await announcer.flush();
    },
  };
}

function wakeUpsOf(options: InstanceOptions, wake: (command: Advance) => void): WatchingWakeUps | undefined {
  const { management, workloads, clock, log, config } = options;
  if (!config.wakeUps) return undefined;
  const { wakeUpsMax: most, wakeUpSeconds: lifetimeSeconds } = config;
  return new WatchingWakeUps({ management, workloads, clock, log, wake, most, lifetimeSeconds });
}

/** One limit for each workload cluster, shared by all Machines whose Nodes are drained there. */
function limitedEvictions({ clock, config }: InstanceOptions): EvictAll {
  const limits = new WeakMap<Kubernetes, EvictionLimit>();
  return (cluster, evictions) => {
    const limit =
      limits.get(cluster) ??
      createEvictionLimit({
        clock,
        perSecond: config.evictionsPerSecond,
        burst: config.evictionBurst,
        inFlight: config.evictionsInFlight,
      });
    limits.set(cluster, limit);
    return limit.evictAll(cluster, evictions);
  };
}

function told({ next, announcements }: StepResult, clock: Clock, announcer: Announcer): OutEvent[] {
  announcer.tell(announcements.map((fact) => announce(fact, clock.now())));
  return next === undefined ? [] : [advance(next, clock.now())];
}

function phaseHandlers(step: (command: Advance) => Promise<OutEvent[]>): Record<string, Handler> {
  const handler = defineFunction(['dev.phaseout.deletion.advance.v1'], (event) =>
    readable(() => step(event.data)),
  );
  return Object.fromEntries(phases.map((phase) => [phase, handler]));
}

function intakeAndSweep(environment: Environment, clock: Clock): Record<string, Handler> {
  const changes = [
    'dev.knative.apiserver.resource.add',
    'dev.knative.apiserver.resource.update',
    'dev.knative.apiserver.resource.delete',
  ] as const;
  return {
    intake: defineFunction(changes, async (event) => {
      // What is gone, or has left a selection, is nothing to act on; the sweep knows what remains.
      if (event.type === 'dev.knative.apiserver.resource.delete') return undefined;
      const command = await readable(() => intake(environment, event.data));
      return command === undefined ? undefined : advance(command, clock.now());
    }),
    sweep: defineFunction(['dev.knative.sources.ping'], async (event) => {
      const commands = await sweep(environment, event.data.sweep);
      return commands.map((command) => advance(command, clock.now()));
    }),
  };
}

/** A Machine that cannot be read is the sender's matter: delivering it again changes nothing. */
async function readable<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof MachineUnreadable) throw new MalformedEvent('data', error.message);
    throw error;
  }
}
