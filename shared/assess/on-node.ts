import { NoCredentials, readOr, unreadIn } from '../kubernetes/errors.ts';
import { isUnreachable, type Node } from '../kubernetes/objects.ts';
import { volumeAttachments } from '../kubernetes/resources.ts';
import { isPast } from '../machine/checkpoint.ts';
import { observeOwnNode } from '../observe/node.ts';
import { observePods } from '../observe/pods.ts';
import type { Subject } from '../phase/definition.ts';
import { attachmentsOf, heldAttachment } from '../volumes/attachments.ts';
import type { OnNode } from './assessment.ts';
import type { Foresight } from './foresight.ts';
import { pinnedPods } from './pinned.ts';

/** The Machine's own Node with what is on it, as far as a phase that is left depends on it. */
export async function lookOnNode(snapshot: Foresight, subject: Subject): Promise<OnNode> {
  const { considersVolumeAttachments } = snapshot;
  const nothing: OnNode = { message: '', considersAttachments: considersVolumeAttachments };
  if (!subject.nodeDeletion.allowed || isPast(subject.checkpoint, 'node')) return nothing;
  try {
    const own = await observeOwnNode(snapshot, subject);
    if (own.kind === 'none') return nothing;
    if (own.kind !== 'own') return { ...nothing, notOwn: own };
    return { ...nothing, node: own.node, ...(await lookAt(snapshot, subject, own.node)) };
  } catch (error) {
    const unread = unreadIn(error)?.message;
    if (unread !== undefined) return { ...nothing, unread };
    // Its phase says why the Node is left.
    if (!(error instanceof NoCredentials) || !subject.dialect.leavesNodeWithoutAccess) throw error;
    return nothing;
  }
}

async function lookAt(
  snapshot: Foresight,
  subject: Subject,
  node: Node,
): Promise<Pick<OnNode, 'verdicts' | 'pinned' | 'attachments' | 'unread'>> {
  const attachments = areVolumesBehind(subject) ? {} : await attachedTo(snapshot, node);
  if (!arePodsJudged(subject)) return attachments;
  const how = { nodeName: node.metadata.name, unreachable: isUnreachable(node), now: snapshot.now() };
  try {
    const { judgement } = await observePods(snapshot, subject, how);
    if (judgement.kind !== 'judged') return attachments;
    const { verdicts } = judgement;
    return { ...attachments, verdicts, pinned: await pinnedPods(snapshot, node, verdicts) };
  } catch (error) {
    const unread = unreadIn(error)?.message;
    if (unread === undefined) throw error;
    return { ...attachments, unread };
  }
}

/** Whether a step is left that depends on the Node's Pods. */
const arePodsJudged = ({ dialect, checkpoint }: Subject): boolean =>
  (['drain', 'volume-detach'] as const).some(
    (step) => dialect.phases.includes(step) && !isPast(checkpoint, step),
  );

/** No phase looks at volumes any more. */
const areVolumesBehind = ({ dialect, checkpoint }: Subject): boolean =>
  isPast(checkpoint, dialect.phases.includes('volume-detach') ? 'volume-detach' : 'infrastructure');

/** A run may not even be allowed to list them: then the Node's own status says what is attached. */
async function attachedTo(snapshot: Foresight, node: Node): Promise<Pick<OnNode, 'attachments'>> {
  const list = await readOr(undefined, () =>
    snapshot.sharedList('workload', volumeAttachments, heldAttachment),
  );
  return { attachments: attachmentsOf(node, list?.items ?? []) };
}
