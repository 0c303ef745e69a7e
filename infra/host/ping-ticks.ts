import { textAt } from '../../shared/dialects/fields.ts';
import type { Key, Kubernetes, Resource } from '../../shared/kubernetes/client.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import type { InstanceLog } from '../../shared/runtime/log.ts';
import { atRestAnnotation, type Ticks, whileDeletingAnnotation } from '../../shared/runtime/ping-schedule.ts';
import type { Clock, Stopwatch } from '../../shared/time/clock.ts';

interface PingTicksOptions {
  kubernetes: Pick<Kubernetes, 'get' | 'mergePatch'>;
  clock: Pick<Clock, 'stopwatch'>;
  log: Pick<InstanceLog, 'debug' | 'warn'>;
  /** The PingSource; its annotations hold both of its schedules. */
  pingSource: Key;
}

const pingSources: Resource = { group: 'sources.knative.dev', version: 'v1', plural: 'pingsources' };

/**
 * A tick that runs is checked again only after this time. An instance without deletions may stop it in the moment in
 * which another instance begins a deletion.
 */
const knownMilliseconds = 60_000;

/** No step tries again within this time after a failed write: each would wait for the failure and log it. */
const failedMilliseconds = 5_000;

/** Ticks by a PingSource: its schedule is changed, since Knative cannot suspend one. */
export function createPingTicks(options: PingTicksOptions): Ticks {
  const { clock, log } = options;
  let known: { milliseconds: number; age: Stopwatch } | undefined;
  /** The last stop of the tick: finished, or under way. */
  let resting: Promise<unknown> = Promise.resolve();

  const set = async (annotation: string): Promise<boolean> => {
    try {
      return await setSchedule(options, annotation);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      log.warn('PingSource could not be set', { pingSource: options.pingSource, why: error.message });
      return false;
    }
  };
  return {
    async start() {
      if (known !== undefined && known.age() < known.milliseconds) return;
      // Set before the answer: if many deletions begin at once, only one asks.
      known = { milliseconds: knownMilliseconds, age: clock.stopwatch() };
      // Without this wait the write finds the tick running, and the tick stops a moment later.
      await resting;
      if (!(await set(whileDeletingAnnotation)))
        known = { milliseconds: failedMilliseconds, age: clock.stopwatch() };
    },
    async rest() {
      known = undefined;
      const isSet = set(atRestAnnotation);
      resting = isSet.catch(() => undefined);
      await isSet;
    },
  };
}

/** Whether the PingSource has the schedule of this annotation now. */
async function setSchedule(
  { kubernetes, log, pingSource }: PingTicksOptions,
  annotation: string,
): Promise<boolean> {
  const found = await kubernetes.get(pingSources, pingSource);
  const schedule = found?.metadata.annotations?.[annotation];
  if (found === undefined || schedule === undefined) {
    log.warn('PingSource does not say its schedules', { pingSource, annotation });
    return false;
  }
  if (textAt(found, 'spec', 'schedule') === schedule) return true;
  const { resourceVersion } = found.metadata;
  const outcome = await kubernetes.mergePatch(pingSources, pingSource, {
    metadata: { resourceVersion },
    spec: { schedule },
  });
  if (outcome.kind === 'written') log.debug('PingSource has another schedule', { pingSource, schedule });
  if (outcome.kind === 'refused') throw new Unavailable(outcome.message);
  return outcome.kind === 'written';
}
