import type { Instant } from '../../../../shared/time/clock.ts';
import {
  type Condition,
  fromKey,
  isTerminating,
  type Node,
  type Pod,
  secondsFrom,
  toTime,
  uidOf,
  withConditions,
} from '../machinery/objects.ts';
import { annotations } from '../machinery/settings.ts';
import { Stopwatch } from '../machinery/stopwatch.ts';
import { type World } from '../machinery/world.ts';
import { byNode, isFinished, isReady } from '../workloads/pods.ts';
import { isUnreachable } from './nodes.ts';

/**
 * Starts the Pods bound to Nodes, stops the terminating ones and lets those with a running time complete. On a Node
 * with an Unknown Ready condition the kubelet does not run. Every delay starts again when the Node is back.
 */
export function kubelet(world: World): void {
  const pods = world.informer<Pod>('pods');
  const nodes = world.informer<Node>('nodes');
  const rounds = podRounds(world);

  const queue = world.queue('kubelet', (key) => {
    const pod = pods.get(key);
    if (pod?.spec?.nodeName === undefined) return;
    const node = nodes.get(pod.spec.nodeName);
    if (node === undefined || isUnreachable(node)) return rounds.forget(uidOf(pod));
    const again = rounds.look(pod);
    if (again !== undefined) queue.addAt(key, again);
  });

  pods.follow(queue, (uid) => rounds.forget(uid));
  nodes.onChange(({ key, before, after }) => {
    if (before && after && isUnreachable(before) === isUnreachable(after)) return;
    for (const pod of pods.in(byNode, fromKey(key).name)) {
      queue.add(`${pod.metadata.namespace}/${pod.metadata.name}`);
    }
  });
}

interface PodRounds {
  /** Does what is due; the answer is when to look again, undefined without a time. */
  look(pod: Pod): Instant | undefined;
  forget(uid: string): void;
}

function podRounds(world: World): PodRounds {
  const { clock, settings } = world;
  const starting = new Stopwatch(clock);
  const readying = new Stopwatch(clock);
  const running = new Stopwatch(clock);
  const stopping = new Stopwatch(clock);

  /** Does it once it is due; until then the answer is when that will be. */
  function at(due: Instant, act: () => void): Instant | undefined {
    if (due > clock.now()) return due;
    act();
    return undefined;
  }
  const report = (pod: Pod, status: object): void => world.writeStatus('pods', pod, status);

  function stop(pod: Pod): Instant | undefined {
    if (pod.metadata.annotations?.[annotations.neverStops] === 'true') return undefined;
    const wanted = secondsFrom(pod, annotations.stopSeconds) ?? settings.podStopSeconds;
    const grace = pod.metadata.deletionGracePeriodSeconds ?? wanted;
    const due = stopping.due(uidOf(pod), isFinished(pod) ? 0 : Math.min(wanted, grace));
    return at(due, () => end(pod));
  }

  /** The owner of a finalizer wants to see how the Pod has ended. */
  function end(pod: Pod): void {
    const isHeld = (pod.metadata.finalizers ?? []).length > 0;
    if (isHeld && !isFinished(pod)) report(pod, stoppedStatus(pod, clock.now()));
    world.remove('pods', pod, { gracePeriodSeconds: 0 });
  }

  function start(pod: Pod): Instant | undefined {
    const isReadyAtOnce = (secondsFrom(pod, annotations.readySeconds) ?? 0) === 0;
    return at(starting.due(uidOf(pod), settings.podStartSeconds), () =>
      report(pod, runningStatus(pod, clock.now(), isReadyAtOnce)),
    );
  }

  /** Only a Pod that says when it will be is made Ready: another that is not may have its reasons. */
  function becomeReady(pod: Pod): Instant | undefined {
    const seconds = secondsFrom(pod, annotations.readySeconds);
    if (seconds === undefined || isReady(pod)) return undefined;
    return at(readying.due(uidOf(pod), seconds), () => report(pod, runningStatus(pod, clock.now(), true)));
  }

  function complete(pod: Pod): Instant | undefined {
    const seconds = secondsFrom(pod, annotations.runSeconds);
    if (seconds === undefined) return undefined;
    return at(running.due(uidOf(pod), seconds), () => report(pod, succeededStatus(pod, clock.now())));
  }

  return {
    look(pod) {
      if (isTerminating(pod)) return stop(pod);
      if (isFinished(pod)) return undefined;
      if (pod.status?.phase !== 'Running') return start(pod);
      const times = [becomeReady(pod), complete(pod)].filter((time) => time !== undefined);
      return times.length === 0 ? undefined : Math.min(...times);
    },
    forget(uid) {
      for (const each of [starting, readying, running, stopping]) each.forget(uid);
    },
  };
}

const whenRunning = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];

/** The status of a Pod whose containers have started; once they are ready they answer their probes. */
function runningStatus(pod: Pod, now: Instant, areReady: boolean): object {
  const startTime = pod.status?.startTime ?? toTime(now);
  const running = whenRunning.map((type) => whileRunning(type, areReady));
  const conditions = withConditions(pod.status?.conditions, running, now);
  const state = { running: { startedAt: startTime } };
  return { phase: 'Running', startTime, conditions, containerStatuses: containers(pod, state, areReady) };
}

function whileRunning(type: string, areReady: boolean): Condition {
  const isHeldBack = !areReady && (type === 'Ready' || type === 'ContainersReady');
  return isHeldBack ? { type, status: 'False', reason: 'ContainersNotReady' } : { type, status: 'True' };
}

/** The status of a Pod whose containers have all ended well. */
const succeededStatus = (pod: Pod, now: Instant): object =>
  endedStatus(pod, now, { phase: 'Succeeded', exitCode: 0, reason: 'Completed' });

/** The status of a Pod whose containers were told to end. */
const stoppedStatus = (pod: Pod, now: Instant): object =>
  endedStatus(pod, now, { phase: 'Failed', exitCode: 143, reason: 'Error' });

interface Ended {
  phase: 'Succeeded' | 'Failed';
  exitCode: number;
  reason: string;
}

function endedStatus(pod: Pod, now: Instant, { phase, exitCode, reason }: Ended): object {
  const ended = { status: 'False', reason: phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed' };
  const both = [
    { type: 'Ready', ...ended },
    { type: 'ContainersReady', ...ended },
  ];
  const conditions = withConditions(pod.status?.conditions, both, now);
  const startedAt = pod.status?.startTime ?? toTime(now);
  const state = { terminated: { exitCode, reason, startedAt, finishedAt: toTime(now) } };
  return { phase, conditions, containerStatuses: containers(pod, state, false) };
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
