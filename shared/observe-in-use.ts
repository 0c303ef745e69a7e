import { isDrainOpen, mustCordonAgain, mustDrainAgain, nowOrReached } from './drain-again.ts';
import { isUnreachable } from './kubernetes/node.ts';
import { CouldNotLook } from './kubernetes/port.ts';
import { observeNode } from './observe-node.ts';
import { observePods } from './observe-pods.ts';
import type { Subject } from './phase-definition.ts';
import type { Look } from './runtime/look.ts';
import { podsAgain, schedulableAgain, type StepBack } from './step-back.ts';

/** The Pods were read, and a rule or a Namespace does not let anybody say which of them have to go. */
export class Unjudged extends CouldNotLook {}

/**
 * Whether there is something on the Node that has to be drained, or may come, and may be drained. Throws CouldNotLook, and
 * Unjudged.
 */
export async function observeInUse(look: Look, subject: Subject): Promise<StepBack | undefined> {
  if (!isDrainOpen(subject, look.now())) return undefined;
  const node = await observeNode(look, subject);
  if (node === undefined) return undefined;
  const now = nowOrReached(subject, look.now());
  const context = { nodeName: node.metadata.name, unreachable: isUnreachable(node), now };
  const { judgement } = await observePods(look, subject, context);
  if (judgement.kind === 'failed') throw new Unjudged(judgement.failure.message);
  if (mustDrainAgain(subject, judgement.verdicts, look.now())) return podsAgain;
  return mustCordonAgain(subject, node, look.now()) ? schedulableAgain : undefined;
}
