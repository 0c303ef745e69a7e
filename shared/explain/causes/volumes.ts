import type { VolumeAttachment } from '../../kubernetes/objects.ts';
import { podName } from '../../kubernetes/pod.ts';
import type { PlannedVolume } from '../../plan/deletion-plan.ts';
import { claimsOf } from '../../volumes/attached.ts';
import type { Cause } from '../explanation.ts';
import { isLong } from '../lasting.ts';
import type { Seen } from '../seen.ts';

/** Volumes that have to come off the Node: with the Pods that use them, and the driver that detaches them. */
export const volumeCauses = (seen: Seen): Cause[] =>
  seen.plan.volumes.map((volume) => volumeCause(seen, volume));

function volumeCause(seen: Seen, volume: PlannedVolume): Cause {
  const { kind, name, detachError, persistentVolume } = volume;
  const attachment = attachmentOf(seen, volume);
  const driver = attachment?.spec?.attacher;
  const users = kind === 'PersistentVolumeClaim' ? usersOf(seen, name) : [];
  const node = attachment?.spec?.nodeName ?? seen.machine.nodeName ?? '';
  return {
    kind: 'volume',
    phase: 'volume-detach',
    what: `${kind} ${name} is attached to Node ${node}`,
    ...(attachment !== undefined && {
      object: {
        side: 'workload',
        resource: 'volumeattachments.storage.k8s.io',
        kind: 'VolumeAttachment',
        name: attachment.metadata.name,
      },
    }),
    ...(driver !== undefined && { owner: `CSI driver ${driver}` }),
    details: [
      ...(users.length === 0 ? [] : [`used there by Pod ${users.join(', ')}`]),
      ...(detachError === undefined ? [] : [`detaching failed: ${detachError}`]),
      ...(kind === 'VolumeAttachment'
        ? [`its PersistentVolume ${persistentVolume ?? ''} does not exist`]
        : []),
    ],
    ...endsOf(seen, volume, users),
  };
}

function endsOf(
  { standing, now }: Seen,
  { kind, detachError }: PlannedVolume,
  users: readonly string[],
): Pick<Cause, 'endsByItself' | 'why'> {
  if (kind === 'VolumeAttachment')
    return { endsByItself: 'no', why: 'no driver detaches what has no PersistentVolume any more' };
  if (detachError !== undefined)
    return { endsByItself: 'unknown', why: 'the driver tries again, and failed the last time' };
  if (users.length > 0)
    return { endsByItself: 'yes', why: 'it comes off once the Pods that use it have gone' };
  const isLate = standing?.phase === 'volume-detach' && isLong(standing.since ?? standing.deletedAt, now);
  return isLate
    ? { endsByItself: 'unknown', why: 'no Pod uses it any more, and its driver has not detached it for long' }
    : { endsByItself: 'yes', why: 'its driver detaches it' };
}

const usersOf = ({ pods }: Seen, claim: string): string[] =>
  pods.filter((pod) => claimsOf(pod).includes(claim)).map(podName);

function attachmentOf(
  { attachments, volumes }: Seen,
  { kind, name, attachment }: PlannedVolume,
): VolumeAttachment | undefined {
  if (attachment !== undefined || kind === 'VolumeAttachment')
    return attachments.find(({ metadata }) => metadata.name === (attachment ?? name));
  const volume =
    kind === 'PersistentVolumeClaim'
      ? volumes.find(({ spec }) => `${spec?.claimRef?.namespace}/${spec?.claimRef?.name}` === name)?.metadata
          .name
      : name;
  return attachments.find(({ spec }) => spec?.source?.persistentVolumeName === volume);
}
