import { listOf } from '../../../../shared/text/truncate.ts';
import { ApiError } from '../../kubernetes/objects/cluster.ts';
import { listOf as itemsOf, textAt } from '../../kubernetes/server/json.ts';
import { isTerminating, keyOf, type Node, type Pod } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { isUnreachable } from '../nodes/nodes.ts';
import { fateOf, podsOn } from './pods.ts';
import { begun, type Step, tell } from './step.ts';

const limits = {
  exclusion: 'exclude-node-draining',
  start: 'nodeDrainStartTime',
  limit: 'nodeDrainTimeout',
} as const;

/** One round of evictions. MachineDrainRules are left out, and so are the orders that only they give. */
export const drained: Step = (pass) => {
  const start = begun(pass, limits);
  if (start === undefined) return undefined;
  const left = pass.node === undefined ? [] : evictAll(pass.nodes, pass.node);
  if (left.length === 0) {
    pass.said.set('DrainingSucceeded', { status: 'True' });
    const message = `success draining Machine's node "${pass.nodeName}"`;
    tell(pass, { reason: 'SuccessfulDrainNode', message });
    return undefined;
  }
  const message = [`Drain not completed yet (started at ${start}):`, ...left].join('\n');
  pass.said.set('DrainingSucceeded', { status: 'False', reason: 'Draining', severity: 'Info', message });
  return { reason: 'DrainingNode', message, again: true };
};

/** Says in lines which Pods are left on the Node, and why. */
function evictAll(world: World, node: Node): string[] {
  if (node.spec?.unschedulable !== true) world.patch('nodes', node, { spec: { unschedulable: true } });
  const fates = Map.groupBy(podsOn(world, node), (pod) => fateOf(world, node, pod));
  const [going = [], staying = []] = [fates.get('evict')?.filter(isTerminating), fates.get('wait')];
  const refused = new Map<string, Pod[]>();
  for (const pod of fates.get('evict') ?? []) {
    if (isTerminating(pod)) continue;
    const answer = evict(world, pod, node);
    if (answer === 'evicted') going.push(pod);
    else if (answer !== 'gone') refused.set(answer.why, [...(refused.get(answer.why) ?? []), pod]);
  }
  return [
    ...line(going, 'deletionTimestamp set, but still not removed from the Node'),
    ...refusalLines(refused),
    ...line(staying, 'waiting for completion'),
  ];
}

function evict(world: World, pod: Pod, node: Node): 'evicted' | 'gone' | { why: string } {
  try {
    world.evict(pod, isUnreachable(node) ? { gracePeriodSeconds: 1 } : {});
    return 'evicted';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.code === 404 ? 'gone' : { why: reasonOf(error) };
  }
}

function reasonOf({ code, message, body }: ApiError): string {
  const causes = itemsOf(body.details?.['causes']);
  if (causes.some((cause) => textAt(cause, 'reason') === 'NamespaceTerminating'))
    return 'Cannot evict pod from terminating namespace: unable to create eviction (kube-controller-manager should set deletionTimestamp)';
  if (code !== 429) return message;
  return `${message} ${causes.map((cause) => textAt(cause, 'message')).join(',')}`;
}

const mostReasons = 5;

function refusalLines(refused: ReadonlyMap<string, Pod[]>): string[] {
  const reasons = [...refused].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const others = reasons.slice(mostReasons).flatMap(([, pods]) => pods).length;
  return [
    ...reasons.slice(0, mostReasons).flatMap(([why, pods]) => line(pods, worded(why))),
    ...(others > 0 ? [`* ${others} ${others === 1 ? 'Pod' : 'Pods'} with other issues`] : []),
  ];
}

const budget = "annot evict pod as it would violate the pod's disruption budget.";

const worded = (why: string): string =>
  why.startsWith(`C${budget}`) ? `c${why.slice(1)}` : `failed to evict Pod, ${why}`;

const line = (pods: readonly Pod[], what: string): string[] =>
  pods.length === 0 ? [] : [`* ${pods.length === 1 ? 'Pod' : 'Pods'} ${listOf(pods.map(keyOf), 3)}: ${what}`];
