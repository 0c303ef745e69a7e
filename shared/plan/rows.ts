import { budgetKey } from '../drain/budget.ts';
import type { PodVerdict } from '../drain/verdict.ts';
import type { EvictionAnswer } from '../kubernetes/client.ts';
import type { Pod } from '../kubernetes/objects.ts';
import { podName } from '../kubernetes/pod.ts';
import type { AttachedVolumes } from '../volumes/attached.ts';
import type { AwaitedAttachment } from '../volumes/attachments.ts';
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

/** Of claims and volumes the VolumeAttachment is named where it does not come off. */
export function plannedVolumes(
  volumes: AttachedVolumes | undefined,
  attachments: readonly AwaitedAttachment[] = [],
): PlannedVolume[] {
  if (volumes === undefined) return [];
  const named = (kind: PlannedVolume['kind'], names: string[]): PlannedVolume[] =>
    names.map((name) => ({ kind, name, ...stuckAt(attachments, name) }));
  return [
    ...named('PersistentVolumeClaim', volumes.claims),
    ...named('PersistentVolume', volumes.volumesWithoutClaim),
    ...named('NodeVolume', volumes.unmatchedNodeVolumes),
    ...volumes.unmatchedAttachments.flatMap((volume) => staleOf(attachments, volume)),
  ];
}

function stuckAt(
  attachments: readonly AwaitedAttachment[],
  volume: string,
): Pick<PlannedVolume, 'attachment' | 'detachError'> {
  const stuck = attachments.find(
    ({ claim, persistentVolume, detachError }) =>
      detachError !== undefined && (claim ?? persistentVolume) === volume,
  );
  return stuck?.detachError === undefined ? {} : { attachment: stuck.name, detachError: stuck.detachError };
}

const staleOf = (attachments: readonly AwaitedAttachment[], volume: string): PlannedVolume[] =>
  attachments
    .filter(({ isStale, persistentVolume }) => isStale && persistentVolume === volume)
    .map(({ name, persistentVolume, detachError }) => ({
      kind: 'VolumeAttachment',
      name,
      persistentVolume,
      ...(detachError !== undefined && { detachError }),
    }));
