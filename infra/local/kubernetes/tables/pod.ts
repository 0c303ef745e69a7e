import type { KubeObject } from '../objects/cluster.ts';
import { at, listOf, numberAt, objectOf, textAt } from '../server/json.ts';
import { age, name, printer, text, wide } from './printer.ts';

const statusesOf = (pod: KubeObject): unknown[] => listOf(at(pod, 'status', 'containerStatuses'));

/** Pods as kubectl shows them, from the states of their containers. */
export const podPrinter = printer(
  name,
  ['Ready', readiness],
  ['Status', statusOf],
  ['Restarts', restarts],
  age,
  [wide('IP'), text('status', 'podIP')],
  [wide('Node'), text('spec', 'nodeName')],
  [wide('Nominated Node'), text('status', 'nominatedNodeName')],
  [wide('Readiness Gates'), () => '<none>'],
);

function readiness(pod: KubeObject): string {
  const ready = statusesOf(pod).filter((one) => at(one, 'ready') === true).length;
  return `${ready}/${listOf(at(pod, 'spec', 'containers')).length}`;
}

function restarts(pod: KubeObject): string {
  return String(statusesOf(pod).reduce<number>((sum, one) => sum + (numberAt(one, 'restartCount') ?? 0), 0));
}

function statusOf(pod: KubeObject): string {
  const reason = textAt(pod, 'status', 'reason');
  const phase = textAt(pod, 'status', 'phase');
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  if (pod.metadata.deletionTimestamp && !isOver) return reason === 'NodeLost' ? 'Unknown' : 'Terminating';
  return containerReason(statusesOf(pod)) || reason || phase;
}

function containerReason(statuses: unknown[]): string {
  for (const one of statuses.toReversed()) {
    const state = objectOf(at(one, 'state'));
    const reason = textAt(state.waiting, 'reason') || textAt(state.terminated, 'reason');
    if (reason) return reason;
  }
  return '';
}
