import { budgetKey } from '../drain/budget.ts';
import type { PodVerdict } from '../drain/verdict.ts';
import type { Pod } from '../kubernetes/objects.ts';
import { podName } from '../kubernetes/pod.ts';
import type { EvictionAnswer } from '../kubernetes/port.ts';
import type { AttachedVolumes } from '../volumes/attached.ts';
import type { PlannedPod, PlannedRefusal, PlannedVolume } from './deletion-plan.ts';

export const plannedPod = ({ pod, behavior, order, decidedBy, warnings }: PodVerdict): PlannedPod => ({
  namespace: pod.metadata.namespace ?? '',
  name: pod.metadata.name,
  behavior,
  order,
  decidedBy,
  warnings,
});

/** Empty for a Pod that would be let go. */
export function plannedRefusal(pod: Pod, answers: ReadonlyMap<string, EvictionAnswer>): PlannedRefusal[] {
  const answer = answers.get(pod.metadata.uid ?? '');
  if (answer?.kind !== 'refused') return [];
  const { cause, text, budget, explanation } = answer;
  const more = {
    ...(budget !== undefined && { budget: budgetKey(pod.metadata.namespace, budget) }),
    ...(explanation !== undefined && { explanation }),
  };
  return [{ pod: podName(pod), cause, message: text, ...more }];
}

const named = (kind: PlannedVolume['kind'], names: string[]): PlannedVolume[] =>
  names.map((name) => ({ kind, name }));

export function plannedVolumes(volumes: AttachedVolumes | undefined): PlannedVolume[] {
  if (volumes === undefined) return [];
  return [
    ...named('PersistentVolumeClaim', volumes.claims),
    ...named('PersistentVolume', volumes.volumesWithoutClaim),
    ...named('NodeVolume', volumes.unmatchedNodeVolumes),
    ...named('VolumeAttachment', volumes.unmatchedAttachments),
  ];
}
