import { type DrainPlan, planDrain } from '../drain/plan.ts';
import { isUnreachable, type Node } from '../kubernetes/objects.ts';
import { nodes } from '../kubernetes/resources.ts';
import { observePods } from '../observe/pods.ts';
import type { Subject } from '../phase/definition.ts';
import { sourcesFor } from '../read/open-snapshot.ts';
import { surroundingsOf } from '../read/surroundings.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Refusals } from './assessment.ts';
import { Foresight } from './foresight.ts';
import { observeNotOwn } from './not-own-node.ts';
import { refusalsNow } from './refusals.ts';

/** What a drain meets on the Node now: ours, or that of the API's own controller. */
export type AssessedNode =
  | { kind: 'none' }
  /** It is unknown which Pods have to go. */
  | ({ kind: 'unjudged'; node: Node; why: string } & Whose)
  | ({ kind: 'judged'; node: Node; plan: DrainPlan; refusals: Refusals } & Whose);

interface Whose {
  /** Why the Node is not proven to be the Machine's own: its own controller goes by the name. */
  notOwn?: string;
}

/** The part of an assessment that the drain of the API's own controller needs. Throws Unavailable. */
export async function assessNode(
  env: Environment,
  given: Omit<Subject, 'surroundings'>,
  nodeName: string,
): Promise<AssessedNode> {
  const { machine, dialect } = given;
  const surroundings = await surroundingsOf(env, machine, dialect, { nodeDeletion: false });
  const subject: Subject = { ...given, surroundings };
  const snapshot = new Foresight(sourcesFor(env, subject));
  const ownership = await observeNotOwn(snapshot, subject);
  const named = ownership === undefined ? {} : { notOwn: ownership.why };
  const node: Node | undefined = await snapshot.get('workload', nodes, { name: nodeName });
  if (node === undefined) return { kind: 'none' };
  const how = { nodeName, unreachable: isUnreachable(node), now: snapshot.now() };
  const { judgement } = await observePods(snapshot, subject, how);
  if (judgement.kind === 'failed')
    return { kind: 'unjudged', node, why: judgement.failure.message, ...named };
  const plan = planDrain(judgement.verdicts, { records: new Map() });
  return { kind: 'judged', node, plan, refusals: await refusalsNow(snapshot, plan), ...named };
}
