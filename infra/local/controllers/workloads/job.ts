import {
  conditionOf,
  isTerminating,
  type Pod,
  secondsFrom,
  toTime,
  uidOf,
  type Workload,
  withCondition,
} from '../machinery/objects.ts';
import { annotations } from '../machinery/settings.ts';
import { Stopwatch } from '../machinery/stopwatch.ts';
import { type World } from '../machinery/world.ts';
import { byController, isActive, isReady } from './pods.ts';
import { followOwned, patchStatus, podFrom } from './replicas.ts';

const resource = 'jobs.batch';

/** Runs a Job's Pods until enough of them have succeeded. */
export function jobs(world: World): void {
  const all = world.informer<Workload>(resource);
  const pods = world.informer<Pod>('pods');

  const queue = world.queue('job', (key) => {
    const job = all.get(key);
    if (job === undefined) return;
    const owned = pods.in(byController, uidOf(job));
    const succeeded = count(world, job, owned);
    const missing = (job.spec?.completions ?? 1) - succeeded;
    if (!isTerminating(job) && !job.spec?.suspend) keepRunning(world, job, missing, owned.filter(isActive));
  });
  followOwned(world, resource, 'Job', queue);
}

/** Removes completed Pods that had a running time, a moment after they have been counted. */
export function completedPods(world: World): void {
  const pods = world.informer<Pod>('pods');
  const stopwatch = new Stopwatch(world.clock);

  const queue = world.queue('completed-pods', (key) => {
    const pod = pods.get(key);
    if (pod === undefined) return;
    const due = stopwatch.due(uidOf(pod), world.settings.podCleanupSeconds);
    if (due > world.clock.now()) return queue.addAt(key, due);
    world.remove('pods', pod, { gracePeriodSeconds: 0 });
  });
  pods.onChange(({ key, before, after }) => {
    if (after === undefined) return before && stopwatch.forget(uidOf(before));
    if (after.status?.phase === 'Succeeded' && secondsFrom(after, annotations.runSeconds) !== undefined)
      queue.add(key);
  });
}

function keepRunning(world: World, job: Workload, missing: number, active: readonly Pod[]): void {
  const wanted = Math.min(job.spec?.parallelism ?? 1, missing);
  for (let running = active.length; running < wanted; running += 1) {
    world.create('pods', podFrom(job, job.spec?.template));
  }
}

// A Pod is counted once though it stays for a while: the Job lists those counted that are still there.
function count(world: World, job: Workload, owned: readonly Pod[]): number {
  const counted = job.status?.uncountedTerminatedPods?.succeeded ?? [];
  const ended = owned.filter((pod) => pod.status?.phase === 'Succeeded').map(uidOf);
  const succeeded = (job.status?.succeeded ?? 0) + ended.filter((uid) => !counted.includes(uid)).length;
  const active = owned.filter(isActive);
  patchStatus(world, resource, job, {
    active: active.length,
    ready: active.filter(isReady).length,
    succeeded,
    uncountedTerminatedPods: { succeeded: ended },
    ...completion(world, job, succeeded),
  });
  return succeeded;
}

function completion(world: World, job: Workload, succeeded: number): Record<string, unknown> {
  if (succeeded < (job.spec?.completions ?? 1) || conditionOf(job.status?.conditions, 'Complete')) return {};
  const now = world.clock.now();
  const conditions = withCondition(job.status?.conditions, { type: 'Complete', status: 'True' }, now);
  return { conditions, completionTime: toTime(now) };
}
