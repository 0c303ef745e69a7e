import type { Instant } from '../../../../shared/time/clock.ts';
import { toTime, withCondition } from '../machinery/conditions.ts';
import type { Condition, Pod } from '../machinery/objects.ts';

const whenRunning = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];

/** The status of a Pod whose containers have started; once `isReady` they answer their probes. */
export function runningStatus(pod: Pod, now: Instant, isReady: boolean): object {
  const startTime = pod.status?.startTime ?? toTime(now);
  const conditions = whenRunning.reduce<Condition[]>(
    (list, type) => withCondition(list, whileRunning(type, isReady), now),
    pod.status?.conditions ?? [],
  );
  const state = { running: { startedAt: startTime } };
  return { phase: 'Running', startTime, conditions, containerStatuses: containers(pod, state, isReady) };
}

function whileRunning(type: string, isReady: boolean): Condition {
  const isHeldBack = !isReady && (type === 'Ready' || type === 'ContainersReady');
  return isHeldBack ? { type, status: 'False', reason: 'ContainersNotReady' } : { type, status: 'True' };
}

/** The status of a Pod whose containers have all ended well. */
export function succeededStatus(pod: Pod, now: Instant): object {
  const conditions = ['Ready', 'ContainersReady'].reduce<Condition[]>(
    (list, type) => withCondition(list, { type, status: 'False', reason: 'PodCompleted' }, now),
    pod.status?.conditions ?? [],
  );
  const state = {
    terminated: {
      exitCode: 0,
      reason: 'Completed',
      startedAt: pod.status?.startTime ?? toTime(now),
      finishedAt: toTime(now),
    },
  };
  return { phase: 'Succeeded', conditions, containerStatuses: containers(pod, state, false) };
}

function containers(pod: Pod, state: object, ready: boolean): object[] {
  return (pod.spec?.containers ?? []).map(({ name, image = '' }) => ({
    name,
    image,
    imageID: '',
    ready,
    started: 'running' in state,
    restartCount: 0,
    state,
  }));
}
