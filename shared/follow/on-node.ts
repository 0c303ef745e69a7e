import { type AssessedNode, assessNode } from '../assess/assess-node.ts';
import { nodeRests, rememberNodeRest } from '../cache/cache.ts';
import { holderOf, holderText, isTerminatingForLong } from '../drain/leaving.ts';
import { unreachableText } from '../drain/node.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import { isUnreachable, type Pod, podName } from '../kubernetes/objects.ts';
import type { PodName } from '../machine/messages.ts';
import type { Subject } from '../phase/definition.ts';
import type { PlannedRefusal } from '../plan/deletion-plan.ts';
import { plannedRefusals } from '../plan/rows.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Instant } from '../time/clock.ts';

/** A Pod that the API would not evict now, and why. */
export type Refused = PlannedRefusal & { uid: string };

/** What a drain of the Node waits for, `namespace/name` each. All is empty where no Pod is left that has to go. */
export interface OnNode {
  /** That its kubelet cannot be reached; absent where it can. */
  unreachable?: string;
  refused: Refused[];
  /** The API would let them go at once: their controller has not asked yet. */
  unasked: string[];
  /** On their way. Of one that should be gone, since when, and what holds it. */
  stopping: string[];
  /** Waited for until they have run to their end. */
  completing: string[];
  /** What was not read, or judged, a sentence each. */
  unread: string[];
  /** That the Node is not proven to be the Machine's own. */
  notOwn?: [string];
}

const nothing: OnNode = { refused: [], unasked: [], stopping: [], completing: [], unread: [] };

/**
 * Reads what the drain of the API's own controller waits for, by the rules that it goes by. An API that wants to be left alone
 * is not asked again before its time is over.
 */
export async function whatIsOnNode(
  env: Environment,
  subject: Omit<Subject, 'surroundings'>,
): Promise<OnNode> {
  const { nodeName, ref } = subject.machine;
  if (nodeName === undefined) return nothing;
  const unread = (why: string): OnNode => ({
    ...nothing,
    unread: [`what is on Node ${nodeName} could not be read: ${why}`],
  });
  const rests = nodeRests(env.cache, ref.uid);
  if (rests !== undefined) return unread(rests);
  try {
    return seenOn(await assessNode(env, subject, nodeName), env.clock.now());
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    rememberNodeRest(env.cache, ref.uid, error);
    return unread(error.statusText);
  }
}

function seenOn(assessed: AssessedNode, now: Instant): OnNode {
  if (assessed.kind === 'none') return nothing;
  const { node } = assessed;
  const unreachable = isUnreachable(node) ? { unreachable: unreachableText(node) } : {};
  const named: Pick<OnNode, 'notOwn'> = assessed.notOwn === undefined ? {} : { notOwn: [assessed.notOwn] };
  if (assessed.kind === 'unjudged') return { ...nothing, ...unreachable, unread: [assessed.why], ...named };
  const { plan, refusals } = assessed;
  const uids = new Map(plan.evictNow.map((pod) => [podName(pod), pod.metadata.uid ?? '']));
  const refused = plannedRefusals(plan, refusals).map((each) => ({ ...each, uid: uids.get(each.pod) ?? '' }));
  const isRefused = new Set(refused.map(({ pod }) => pod));
  return {
    ...unreachable,
    refused,
    unasked: plan.evictNow.map(podName).filter((pod) => !isRefused.has(pod)),
    stopping: plan.terminating.map((pod) => stoppingText(pod, now)),
    completing: plan.waitNow.map(podName),
    unread: [],
    ...named,
  };
}

function stoppingText(pod: Pod, now: Instant): string {
  if (!isTerminatingForLong(pod, now)) return podName(pod);
  return `${podName(pod)} (should be gone since ${pod.metadata.deletionTimestamp}: ${holderText(holderOf(pod))})`;
}

/** For a fact. */
export function podOf({ pod, uid }: Pick<Refused, 'pod' | 'uid'>): PodName {
  const [namespace = '', name = ''] = pod.split('/');
  return { namespace, name, uid };
}
