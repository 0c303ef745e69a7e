import { isPast } from '../dialects/passed-phases.ts';
import type { PodVerdict } from '../drain/verdict.ts';
import { isUnreachable } from '../kubernetes/node.ts';
import type { Node, VolumeAttachment } from '../kubernetes/objects.ts';
import { podName } from '../kubernetes/pod.ts';
import { readOr } from '../kubernetes/read-or.ts';
import { volumeAttachments } from '../kubernetes/resources.ts';
import type { Subject } from '../phase/definition.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { claimsOf } from '../volumes/attached.ts';
import { attachmentsOf } from '../volumes/attachments.ts';
import type { PlannedPhase, PlannedUnawaited, PlannedVolume } from './deletion-plan.ts';
import type { PlannedNode } from './plan-node.ts';

/** What is attached to the Node and does not hold its server, and why. */
export async function planUnawaited(
  snapshot: Snapshot,
  subject: Subject,
  planned: PlannedNode,
  phases: readonly PlannedPhase[],
): Promise<PlannedUnawaited[]> {
  const { node } = planned;
  if (node === undefined || isBehind(subject)) return [];
  const why = whyNoneIs(node, phases);
  if (why !== undefined) return (await attachedTo(snapshot, node)).map((volume) => ({ ...volume, why }));
  const left = (planned.leftClaims ?? []).map((name) => leftClaim(name, planned.verdicts));
  return snapshot.considersVolumeAttachments ? left : [...left, ...(await unconsidered(snapshot, node))];
}

/** No phase looks at volumes any more. */
const isBehind = ({ dialect, checkpoint }: Subject): boolean =>
  isPast(checkpoint, dialect.phases.includes('volume-detach') ? 'volume-detach' : 'infrastructure');

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
async function attachedTo(snapshot: Snapshot, node: Node): Promise<PlannedVolume[]> {
  const found = await readAttachments(snapshot, node);
  const drivers = found.map(({ spec }) => spec?.attacher);
  const others = (node.status?.volumesAttached ?? []).filter(({ name }) => !drivers.includes(driverOf(name)));
  return [...named(node, found), ...others.map(({ name }) => ({ kind: 'NodeVolume' as const, name }))];
}

/** Where VolumeAttachments do not count, those of drivers that the Node's own status does not name. */
async function unconsidered(snapshot: Snapshot, node: Node): Promise<PlannedUnawaited[]> {
  const known = (node.status?.volumesAttached ?? []).map(({ name }) => driverOf(name));
  const found = (await readAttachments(snapshot, node)).filter(({ spec }) => !known.includes(spec?.attacher));
  const why = 'VolumeAttachments do not count here (PHASEOUT_CONSIDER_VOLUME_ATTACHMENTS)';
  return named(node, found).map((volume) => ({ ...volume, why }));
}

/** A run may not even be allowed to list them: then the Node's own status says what is attached. */
async function readAttachments(snapshot: Snapshot, node: Node): Promise<VolumeAttachment[]> {
  const { items } = await readOr({ items: [], resourceVersion: '' }, () =>
    snapshot.list('workload', volumeAttachments),
  );
  return items.filter(
    ({ spec, status }: VolumeAttachment) =>
      spec?.nodeName === node.metadata.name && status?.attached === true,
  );
}

const named = (node: Node, found: readonly VolumeAttachment[]): PlannedVolume[] =>
  attachmentsOf(node, found).map(({ persistentVolume, ...attachment }) => ({
    kind: 'VolumeAttachment',
    ...attachment,
    ...(persistentVolume !== '' && { persistentVolume }),
  }));

/** Of `kubernetes.io/csi/DRIVER^HANDLE`. */
const driverOf = (name: string): string | undefined => /^kubernetes\.io\/csi\/([^^]+)\^/.exec(name)?.[1];
