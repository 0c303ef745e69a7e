import { planDrain } from '../drain/plan.ts';
import { previewEvictions } from '../drain/preview.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import { isUnreachable } from '../kubernetes/node.ts';
import type { Node, Pod } from '../kubernetes/objects.ts';
import { podName } from '../kubernetes/pod.ts';
import { readOr } from '../kubernetes/read-or.ts';
import { nodes } from '../kubernetes/resources.ts';
import type { PodName } from '../machine/messages.ts';
import { observeOwnNode } from '../observe/node.ts';
import { observePods } from '../observe/pods.ts';
import type { Subject } from '../phase/definition.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import type { PlannedRefusal } from '../plan/deletion-plan.ts';
import { budgetsFor } from '../plan/plan-node.ts';
import { plannedRefusal } from '../plan/rows.ts';
import { openSnapshot } from '../read/open-snapshot.ts';
import { surroundingsOf, unseenSurroundings } from '../read/surroundings.ts';
import type { Environment } from '../runtime/environment.ts';

/** A Pod that the API would not evict now, and why. */
export type Refused = PlannedRefusal & { uid: string };

/** What a drain of the Node waits for, `namespace/name` each; all of it empty where no Pod is left that has to go. */
export interface OnNode {
  refused: Refused[];
  /** The API would let them go at once: their controller has not asked yet. */
  unasked: string[];
  /** On their way. */
  stopping: string[];
  /** Waited for until they have run to their end. */
  completing: string[];
  /** What was not read, or judged, a sentence each. */
  unread: string[];
  /** That the Node is not proven to be the Machine's own. */
  notOwn?: [string];
}

const nothing: OnNode = { refused: [], unasked: [], stopping: [], completing: [], unread: [] };

/**
 * Reads what the drain of the API's own controller waits for, by the rules that it goes by. An API that wants to be left alone
 * is not asked again before its time is over.
 */
export async function whatIsOnNode(
  env: Environment,
  subject: Omit<Subject, 'surroundings'>,
): Promise<OnNode> {
  const { nodeName, ref } = subject.machine;
  if (nodeName === undefined) return nothing;
  const { nodeRest: rest } = env.cache.notes(ref.uid);
  if (rest !== undefined && rest.age() < rest.milliseconds) return { ...nothing, unread: [rest.why] };
  try {
    return await readNode(env, subject, nodeName);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const why = `what is on Node ${nodeName} could not be read: ${error.said}`;
    const { retryAfterSeconds: seconds } = error;
    if (seconds !== undefined) {
      const age = env.clock.stopwatch();
      env.cache.note(ref.uid, { nodeRest: { age, milliseconds: seconds * 1_000, why } });
    }
    return { ...nothing, unread: [why] };
  }
}

async function readNode(
  env: Environment,
  given: Omit<Subject, 'surroundings'>,
  nodeName: string,
): Promise<OnNode> {
  const { machine, dialect } = given;
  const surroundings = await surroundingsOf(env, machine, dialect, { nodeDeletion: false });
  const subject: Subject = { ...given, surroundings };
  const snapshot = openSnapshot(env, subject);
  const named = await observeNamed(snapshot, subject);
  const node: Node | undefined = await snapshot.get('workload', nodes, { name: nodeName });
  if (node === undefined) return nothing;
  const how = { nodeName, unreachable: isUnreachable(node), now: snapshot.now() };
  const { judgement } = await observePods(snapshot, subject, how);
  if (judgement.kind === 'failed') return { ...nothing, unread: [judgement.failure.message], ...named };
  const plan = planDrain(judgement.verdicts, { records: new Map() });
  const answers = previewEvictions(plan, await budgetsFor(snapshot, plan));
  return {
    refused: plan.evictNow.flatMap((pod) =>
      plannedRefusal(pod, answers).map((refusal) => ({ ...refusal, uid: pod.metadata.uid ?? '' })),
    ),
    unasked: plan.evictNow.filter((pod) => plannedRefusal(pod, answers).length === 0).map(podName),
    stopping: plan.terminating.map(podName),
    completing: plan.waitNow.map(podName),
    unread: [],
    ...named,
  };
}

/** The API's own controller goes by the name of the Node: what it drains, and deletes, may be another server's. */
async function observeNamed(snapshot: Snapshot, subject: Subject): Promise<Pick<OnNode, 'notOwn'>> {
  const own = await observeOwnNode(snapshot, subject);
  return own.kind === 'own' || own.kind === 'none' ? {} : { notOwn: [own.why] };
}

/** The same where nothing else is read of the Node. */
export async function notOwnNamed(
  env: Environment,
  given: Omit<Subject, 'surroundings'>,
): Promise<[string] | undefined> {
  if (given.machine.nodeName === undefined) return undefined;
  const subject = { ...given, surroundings: unseenSurroundings };
  const { notOwn } = await readOr({}, () => observeNamed(openSnapshot(env, subject), subject));
  return notOwn;
}

/** For a fact. */
export function podOf({ pod, uid }: Pick<Refused, 'pod'> & Pick<Pod['metadata'], 'uid'>): PodName {
  const [namespace = '', name = ''] = pod.split('/');
  return { namespace, name, uid: uid ?? '' };
}
