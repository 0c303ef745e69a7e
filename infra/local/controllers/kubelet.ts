import type { Instant } from '../../../shared/clock.ts';
import { isUnreachable } from './nodes.ts';
import { fromKey } from './keys.ts';
import { isTerminating, type Node, type Pod, uidOf } from './objects.ts';
import { runningStatus, succeededStatus } from './pod-status.ts';
import { byNode, isFinished, secondsFrom } from './pods.ts';
import { annotations } from './settings.ts';
import { Stopwatch } from './stopwatch.ts';
import type { World } from './world.ts';

/**
 * Starts the Pods bound to Nodes, stops the terminating ones and lets those with a running time complete. On a Node
 * whose Ready is Unknown nobody is there to do so, and every delay begins anew when the Node is back.
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

  pods.onChange(({ key, before, after }) => {
    if (before !== undefined && after === undefined) rounds.forget(uidOf(before));
    else queue.add(key);
  });
  nodes.onChange(({ key, before, after }) => {
    if (before && after && isUnreachable(before) === isUnreachable(after)) return;
    for (const pod of pods.in(byNode, fromKey(key).name)) {
      queue.add(`${pod.metadata.namespace}/${pod.metadata.name}`);
    }
  });
}

interface PodRounds {
  /** Does what is due; the answer is when to look again, if ever by itself. */
  look(pod: Pod): Instant | undefined;
  forget(uid: string): void;
}

function podRounds(world: World): PodRounds {
  const { clock, settings } = world;
  const [starting, running, stopping] = [new Stopwatch(clock), new Stopwatch(clock), new Stopwatch(clock)];
  const isDue = (instant: Instant): boolean => instant <= clock.now();

  function stop(pod: Pod): Instant | undefined {
    if (pod.metadata.annotations?.[annotations.neverStops] === 'true') return undefined;
    const wanted = secondsFrom(pod, annotations.stopSeconds) ?? settings.podStopSeconds;
    const grace = pod.metadata.deletionGracePeriodSeconds ?? wanted;
    const due = stopping.due(uidOf(pod), isFinished(pod) ? 0 : Math.min(wanted, grace));
    if (!isDue(due)) return due;
    world.remove('pods', pod, { gracePeriodSeconds: 0 });
    return undefined;
  }

  function start(pod: Pod): Instant | undefined {
    const due = starting.due(uidOf(pod), settings.podStartSeconds);
    if (!isDue(due)) return due;
    world.patch('pods', pod, { status: runningStatus(pod, clock.now()) }, 'status');
    return undefined;
  }

  function complete(pod: Pod, seconds: number): Instant | undefined {
    const due = running.due(uidOf(pod), seconds);
    if (!isDue(due)) return due;
    world.patch('pods', pod, { status: succeededStatus(pod, clock.now()) }, 'status');
    return undefined;
  }

  return {
    look(pod) {
      if (isTerminating(pod)) return stop(pod);
      if (isFinished(pod)) return undefined;
      if (pod.status?.phase !== 'Running') return start(pod);
      const seconds = secondsFrom(pod, annotations.runSeconds);
      return seconds === undefined ? undefined : complete(pod, seconds);
    },
    forget(uid) {
      for (const stopwatch of [starting, running, stopping]) stopwatch.forget(uid);
    },
  };
}
