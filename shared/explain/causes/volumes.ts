import { claimsOf, podName } from '../../kubernetes/objects.ts';
import type { PlannedVolume } from '../../plan/deletion-plan.ts';
import type { Cause } from '../explanation.ts';
import { isLong } from '../lasting.ts';
import type { Seen } from '../seen.ts';
import { isUndecided } from './node.ts';

/** Volumes that have to come off the Node: with the Pods that use them, and the driver that detaches them. */
export function volumeCauses(seen: Seen): Cause[] {
  const { plan, attachments } = seen;
  const waiting = plan.phases.find(({ phase, does }) => phase === 'volume-detach' && does === 'wait');
  const isListed = plan.volumes.length > 0 || waiting === undefined || isUndecided(seen, waiting.why);
  if (isListed) return plan.volumes.map((volume) => volumeCause(seen, volume));
  const nameless = attachments.filter(({ persistentVolume }) => persistentVolume === '');
  return nameless.length === 0
    ? [unjudgedCause(waiting.why)]
    : nameless.map((attachment) => namelessCause(seen, attachment, waiting.why));
}

const objectOf = (name: string): NonNullable<Cause['object']> => ({
  side: 'workload',
  resource: 'volumeattachments.storage.k8s.io',
  kind: 'VolumeAttachment',
  name,
});

/** An inline volume has no PersistentVolume: no look at volumes passes it. */
const namelessCause = (
  { machine }: Seen,
  { name, attacher, detachError }: Seen['attachments'][number],
  why: string,
): Cause => ({
  kind: 'volume',
  phase: 'volume-detach',
  what: `VolumeAttachment ${name} is attached to Node ${machine.nodeName ?? ''} and names no PersistentVolume`,
  object: objectOf(name),
  ...(attacher !== undefined && { owner: `CSI driver ${attacher}` }),
  details: [why, ...(detachError === undefined ? [] : [`detaching failed: ${detachError}`])],
  endsByItself: 'unknown',
  why: 'it ends when its driver has detached it: until then the wait for volumes fails at each look',
});

/** Whose volumes have to come off is unknown. */
const unjudgedCause = (what: string): Cause => ({
  kind: 'failure',
  phase: 'volume-detach',
  what,
  details: [],
  endsByItself: 'unknown',
  why: 'it is tried again: that ends where what fails is put right',
});

function volumeCause(seen: Seen, volume: PlannedVolume): Cause {
  const { kind, name, detachError, persistentVolume } = volume;
  const attachment = attachmentOf(seen, volume);
  const driver = attachment?.attacher;
  const users = kind === 'PersistentVolumeClaim' ? usersOf(seen, name) : [];
  const node = seen.machine.nodeName ?? '';
  return {
    kind: 'volume',
    phase: 'volume-detach',
    what: `${kind} ${name} is attached to Node ${node}`,
    ...(attachment !== undefined && { object: objectOf(attachment.name) }),
    ...(driver !== undefined && { owner: `CSI driver ${driver}` }),
    details: [
      ...(users.length === 0 ? [] : [`used there by Pod ${users.join(', ')}`]),
      ...(detachError === undefined ? [] : [`detaching failed: ${detachError}`]),
      ...(kind === 'VolumeAttachment'
        ? [
            `its PersistentVolume ${persistentVolume ?? ''} ${volume.isVolumeGiven === false ? 'was not given' : 'does not exist'}`,
          ]
        : []),
    ],
    ...endsOf(seen, volume, users),
  };
}

function endsOf(
  { standing, now }: Seen,
  { kind, detachError, isVolumeGiven }: PlannedVolume,
  users: readonly string[],
): Pick<Cause, 'endsByItself' | 'why'> {
  if (kind === 'VolumeAttachment' && isVolumeGiven === false)
    return { endsByItself: 'unknown', why: 'whether it comes off is unknown without its PersistentVolume' };
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
  { attachments }: Seen,
  { kind, name, attachment }: PlannedVolume,
): Seen['attachments'][number] | undefined {
  const own = attachment ?? (kind === 'VolumeAttachment' ? name : undefined);
  return attachments.find((each) =>
    own === undefined ? (each.claim ?? each.persistentVolume) === name : each.name === own,
  );
}
