import { fromKey, keyOf, type Node, type Pod, uidOf } from '../machinery/objects.ts';
import { Stopwatch } from '../machinery/stopwatch.ts';
import { type World } from '../machinery/world.ts';
import { byNode, isFinished } from './pods.ts';

/** Removes the Pods of Nodes that no longer exist: no kubelet will ever report them stopped. */
export function podGarbage(world: World): void {
  const pods = world.informer<Pod>('pods');
  const nodes = world.informer<Node>('nodes');
  const stopwatch = new Stopwatch(world.clock);

  const queue = world.queue('pod-garbage', (key) => {
    const pod = pods.get(key);
    const node = pod?.spec?.nodeName;
    if (pod === undefined || node === undefined) return;
    if (nodes.get(node) !== undefined) return stopwatch.forget(uidOf(pod));
    const due = stopwatch.due(uidOf(pod), world.settings.podGarbageSeconds);
    if (due > world.clock.now()) return queue.addAt(key, due);
    if (!isFinished(pod)) world.writeStatus('pods', pod, { phase: 'Failed' });
    world.remove('pods', pod, { gracePeriodSeconds: 0 });
  });

  pods.onChange(({ key, before, after }) => {
    if (before !== undefined && after === undefined) stopwatch.forget(uidOf(before));
    else if (before?.spec?.nodeName !== after?.spec?.nodeName) queue.add(key);
  });
  nodes.onChange(({ key, before, after }) => {
    if (before !== undefined && after !== undefined) return;
    for (const pod of pods.in(byNode, fromKey(key).name)) queue.add(keyOf(pod));
  });
}
