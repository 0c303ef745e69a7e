import type { KubeObject } from '../objects/cluster.ts';
import { at, listOf, numberAt, objectOf, textAt } from '../server/json.ts';
import { ageSince, type Printer } from './printer.ts';

/** Pods as kubectl shows them, from the states of their containers. */
export const podPrinter: Printer = {
  columns: [
    { name: 'Name', format: 'name' },
    { name: 'Ready' },
    { name: 'Status' },
    { name: 'Restarts' },
    { name: 'Age' },
    { name: 'IP', priority: 1 },
    { name: 'Node', priority: 1 },
    { name: 'Nominated Node', priority: 1 },
    { name: 'Readiness Gates', priority: 1 },
  ],
  cells(pod, now) {
    const statuses = listOf(at(pod, 'status', 'containerStatuses'));
    const ready = statuses.filter((one) => at(one, 'ready') === true).length;
    const restarts = statuses.reduce<number>((sum, one) => sum + (numberAt(one, 'restartCount') ?? 0), 0);
    return [
      pod.metadata.name,
      `${ready}/${listOf(at(pod, 'spec', 'containers')).length}`,
      statusOf(pod, statuses),
      String(restarts),
      ageSince(pod.metadata.creationTimestamp, now),
      textAt(pod, 'status', 'podIP') || '<none>',
      textAt(pod, 'spec', 'nodeName') || '<none>',
      textAt(pod, 'status', 'nominatedNodeName') || '<none>',
      '<none>',
    ];
  },
};

function statusOf(pod: KubeObject, statuses: unknown[]): string {
  const reason = textAt(pod, 'status', 'reason');
  const phase = textAt(pod, 'status', 'phase');
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  if (pod.metadata.deletionTimestamp && !isOver) return reason === 'NodeLost' ? 'Unknown' : 'Terminating';
  return containerReason(statuses) || reason || phase;
}

function containerReason(statuses: unknown[]): string {
  for (const one of statuses.toReversed()) {
    const state = objectOf(at(one, 'state'));
    const reason = textAt(state.waiting, 'reason') || textAt(state.terminated, 'reason');
    if (reason) return reason;
  }
  return '';
}
