import { type Node, type Pod, podName, uidOf } from '../kubernetes/objects.ts';
import { type DrainMessageInputs, podsOnTheirWay, refusalTexts } from './message.ts';

/** Pods by what is to become of them, under the keys that Cluster API's log has for them; `namespace/name` each. */
export interface PodTally {
  podsToTriggerEvictionNow: string[];
  podsToTriggerEvictionLater: string[];
  podsFailedEviction: string[];
  podsWithDeletionTimestamp: string[];
  podsToWaitCompletedNow: string[];
  podsToWaitCompletedLater: string[];
}

/** Where the drain of a Node stands, for the log. */
export interface DrainTally {
  node: string;
  pods: PodTally;
}

type TallyInputs = Omit<DrainMessageInputs, 'startedAt'> & { node: Node };

/** Sorted as the drain's message is. */
export function drainTally({ node, plan, answers, records }: TallyInputs): DrainTally {
  const refused = refusalTexts(plan.evictNow, answers, records);
  const isOpen = (pod: Pod): boolean => answers.get(uidOf(pod))?.kind !== 'accepted';
  return {
    node: node.metadata.name,
    pods: {
      podsToTriggerEvictionNow: plan.evictNow.filter(isOpen).map(podName),
      podsToTriggerEvictionLater: plan.evictLater.map(podName),
      podsFailedEviction: plan.evictNow.filter((pod) => refused.has(uidOf(pod))).map(podName),
      podsWithDeletionTimestamp: podsOnTheirWay(plan, answers).map(podName),
      podsToWaitCompletedNow: plan.waitNow.map(podName),
      podsToWaitCompletedLater: plan.waitLater.map(podName),
    },
  };
}
