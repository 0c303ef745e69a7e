import type { Assessment } from '../assess/assessment.ts';
import type { PodVerdict } from '../drain/verdict.ts';
import { claimsOf, isUnreachable, type Node, podName } from '../kubernetes/objects.ts';
import type { AwaitedAttachment, NodeAttachment } from '../volumes/attachments.ts';
import type { PlannedPhase, PlannedUnawaited, PlannedVolume } from './deletion-plan.ts';
import type { NotGiven } from './node.ts';

/** Of claims and volumes the VolumeAttachment is named where it does not come off. */
export function plannedVolumes(
  { onNode: { detach } }: Pick<Assessment, 'onNode'>,
  { areVolumesMissing = false }: NotGiven,
): PlannedVolume[] {
  if (detach?.kind !== 'attached') return [];
  const { volumes, attachments = [] } = detach;
  const named = (kind: PlannedVolume['kind'], names: string[]): PlannedVolume[] =>
    names.map((name) => ({ kind, name, ...stuckAt(attachments, name) }));
  return [
    ...named('PersistentVolumeClaim', volumes.claims),
    ...named('PersistentVolume', volumes.volumesWithoutClaim),
    ...named('NodeVolume', volumes.unmatchedNodeVolumes),
    ...volumes.unmatchedAttachments
      .flatMap((volume) => staleOf(attachments, volume))
      .map((volume) => ({ ...volume, ...(areVolumesMissing && { isVolumeGiven: false as const }) })),
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

/** What is attached to the Node and does not hold its server, and why. */
export function planUnawaited(
  { onNode }: Pick<Assessment, 'onNode'>,
  phases: readonly PlannedPhase[],
): PlannedUnawaited[] {
  const { node, attachments, detach, verdicts = [], considersAttachments } = onNode;
  if (node === undefined || attachments === undefined) return [];
  const why = whyNoneIs(node, phases);
  if (why !== undefined) return attachedTo(node, attachments).map((volume) => ({ ...volume, why }));
  const claims = detach?.kind === 'attached' ? (detach.leftClaims ?? []) : [];
  const left = claims.map((name) => leftClaim(name, verdicts));
  return considersAttachments ? left : [...left, ...unconsidered(node, attachments)];
}

function whyNoneIs(node: Node, phases: readonly PlannedPhase[]): string | undefined {
  const wait = phases.find(({ phase }) => phase === 'volume-detach');
  if (wait === undefined) return 'the API does not wait for volumes';
  if (wait.does === 'skip' || wait.does === 'passed') return wait.why;
  return isUnreachable(node) ? 'the Node is unreachable' : undefined;
}

function leftClaim(name: string, verdicts: readonly PodVerdict[]): PlannedUnawaited {
  const users = verdicts.filter(({ behavior, pod }) => behavior === 'Skip' && claimsOf(pod).includes(name));
  const names = users.map(({ pod }) => podName(pod)).join(', ');
  return { kind: 'PersistentVolumeClaim', name, why: `it is of a Pod that stays: ${names}` };
}

/** By VolumeAttachments, and by the Node where it names volumes of drivers that have none. */
function attachedTo(node: Node, attachments: readonly NodeAttachment[]): PlannedVolume[] {
  const drivers = attachments.map(({ attacher }) => attacher);
  const others = (node.status?.volumesAttached ?? []).filter(({ name }) => !drivers.includes(driverOf(name)));
  return [...named(attachments), ...others.map(({ name }) => ({ kind: 'NodeVolume' as const, name }))];
}

/** Where VolumeAttachments do not count, those of drivers that the Node's own status does not name. */
function unconsidered(node: Node, attachments: readonly NodeAttachment[]): PlannedUnawaited[] {
  const known = (node.status?.volumesAttached ?? []).map(({ name }) => driverOf(name));
  const why = 'VolumeAttachments do not count here (PHASEOUT_CONSIDER_VOLUME_ATTACHMENTS)';
  return named(attachments.filter(({ attacher }) => !known.includes(attacher))).map((volume) => ({
    ...volume,
    why,
  }));
}

const named = (found: readonly NodeAttachment[]): PlannedVolume[] =>
  found.map(({ name, persistentVolume, detachError }) => ({
    kind: 'VolumeAttachment',
    name,
    ...(detachError !== undefined && { detachError }),
    ...(persistentVolume !== '' && { persistentVolume }),
  }));

/** Of `kubernetes.io/csi/DRIVER^HANDLE`. */
const driverOf = (name: string): string | undefined => /^kubernetes\.io\/csi\/([^^]+)\^/.exec(name)?.[1];
