import { isDrainOpen, mustDrainAgain, nowOrReached } from './drain-again.ts';
import { isUnreachable } from './kubernetes/node.ts';
import { CouldNotLook } from './kubernetes/port.ts';
import { observeNode } from './observe-node.ts';
import { observePods } from './observe-pods.ts';
import type { Subject } from './phase-definition.ts';
import type { Look } from './runtime/look.ts';

/** The Pods were read, and a rule or a Namespace does not let anybody say which of them have to go. */
export class Unjudged extends CouldNotLook {}

/** Whether there is something on the Node that has to be drained, and may be. Throws CouldNotLook, and Unjudged. */
export async function hasPodsAgain(look: Look, subject: Subject): Promise<boolean> {
  if (!isDrainOpen(subject, look.now())) return false;
  const node = await observeNode(look, subject);
  if (node === undefined) return false;
  const now = nowOrReached(subject, look.now());
  const context = { nodeName: node.metadata.name, unreachable: isUnreachable(node), now };
  const { judgement } = await observePods(look, subject, context);
  if (judgement.kind === 'failed') throw new Unjudged(judgement.failure.message);
  return mustDrainAgain(subject, judgement.verdicts, look.now());
}
