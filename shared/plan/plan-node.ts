import { isPast } from '../dialects/passed-phases.ts';
import { drainMessage } from '../drain/message.ts';
import { type DrainPlan, planDrain } from '../drain/plan.ts';
import { previewEvictions } from '../drain/preview.ts';
import type { PodVerdict } from '../drain/verdict.ts';
import type { EvictionAnswer } from '../kubernetes/client.ts';
import { NoCredentials, unreadIn } from '../kubernetes/errors.ts';
import { isUnreachable } from '../kubernetes/node.ts';
import type { Node, PodDisruptionBudget } from '../kubernetes/objects.ts';
import { podDisruptionBudgets } from '../kubernetes/resources.ts';
import { observeCordon } from '../observe/control-plane.ts';
import { observeGate } from '../observe/gate.ts';
import { type OwnNode, observeOwnNode } from '../observe/node.ts';
import { observePods } from '../observe/pods.ts';
import { observeDetach } from '../observe/volume-detach.ts';
import type { Subject } from '../phase/definition.ts';
import { shownStart } from '../phase/time-limit.ts';
import type { ClusterSnapshot } from '../read/snapshot.ts';
import type { Instant } from '../time/clock.ts';
import type { AttachedVolumes } from '../volumes/attached.ts';
import type { AwaitedAttachment } from '../volumes/attachments.ts';
import type { PlannedNamespace } from './deletion-plan.ts';
import { comingTo } from './plan-subject.ts';
import { refusedIn, terminatingNamespaces } from './terminating-namespaces.ts';
import { orUnread } from './unread.ts';

/** What a drain of the Machine's Node would meet. */
export interface PlannedNode {
  node: Node | undefined;
  /** Why no step touches the Node: it is another server's, or it is unknown whose it is. */
  notOwn?: Exclude<OwnNode, { kind: 'own' | 'none' }>;
  /** Why it is unknown whether there is a Node: then it is left behind. */
  noAccess?: string;
  /** The Node may not be cordoned while this one is. */
  cordonedOther?: Node;
  verdicts: PodVerdict[];
  /** Why it is unknown which Pods have to go: then none goes. */
  unjudged?: string;
  plan: DrainPlan;
  answers: ReadonlyMap<string, EvictionAnswer>;
  /** Namespaces of Pods that have to go, where they are being deleted. */
  terminating?: PlannedNamespace[];
  volumes?: AttachedVolumes;
  /** The VolumeAttachments of what has to come off. */
  attachments?: AwaitedAttachment[];
  /** Claims that are attached and not waited for. */
  leftClaims?: string[];
  /** Why it is unknown which volumes have to come off. */
  volumesUnjudged?: string;
  /** What was not read: the Node where there is none here, else what is on it. */
  unread?: string;
  /** What was not read of the volumes. */
  volumesUnread?: string;
  /** What was not read of budgets: then it is unknown what they would refuse. */
  budgetsUnread?: string;
  message: string;
}

type PlannedVolumes = Pick<
  PlannedNode,
  'volumes' | 'attachments' | 'leftClaims' | 'volumesUnjudged' | 'volumesUnread'
>;

const nothing = {
  verdicts: [],
  plan: planDrain([], { records: new Map() }),
  answers: new Map(),
  message: '',
};

/** Judges what is on the Node. A step that the Machine is shut out of has no batches, refusals or volumes. */
export async function planNode(snapshot: ClusterSnapshot, subject: Subject): Promise<PlannedNode> {
  try {
    return await planKnownNode(snapshot, subject);
  } catch (error) {
    const unread = unreadIn(error)?.message;
    if (unread !== undefined) return { ...nothing, node: undefined, unread };
    if (!(error instanceof NoCredentials) || !subject.dialect.leavesNodeWithoutAccess) throw error;
    return { ...nothing, node: undefined, noAccess: error.message };
  }
}

async function planKnownNode(snapshot: ClusterSnapshot, subject: Subject): Promise<PlannedNode> {
  if (!subject.nodeDeletion.allowed || isPast(subject.checkpoint, 'node'))
    return { ...nothing, node: undefined };
  const own = await observeOwnNode(snapshot, subject);
  if (own.kind === 'none') return { ...nothing, node: undefined };
  if (own.kind !== 'own') return { ...nothing, node: undefined, notOwn: own };
  const { node } = own;
  if (!isJudged(subject)) return { ...nothing, node };
  return orUnread(
    () => planOnNode(snapshot, subject, node),
    (unread): PlannedNode => ({ ...nothing, node, unread }),
  );
}

async function planOnNode(snapshot: ClusterSnapshot, subject: Subject, node: Node): Promise<PlannedNode> {
  const other = await cordonedBefore(snapshot, subject, node);
  const planned = await planPods(snapshot, subject, node);
  return { ...planned, ...(other !== undefined && { cordonedOther: other }) };
}

/** Whether a step is left that depends on what is on the Node. */
const isJudged = (subject: Subject): boolean =>
  (['drain', 'volume-detach'] as const).some(
    (step) => subject.dialect.phases.includes(step) && !isPast(subject.checkpoint, step),
  );

async function planPods(snapshot: ClusterSnapshot, subject: Subject, node: Node): Promise<PlannedNode> {
  const unreachable = isUnreachable(node);
  const nodeName = node.metadata.name;
  const { judgement } = await observePods(snapshot, subject, { nodeName, unreachable, now: snapshot.now() });
  const drained = isPast(subject.checkpoint, 'drain')
    ? undefined
    : comingTo('drain', subject, snapshot.now());
  const isShutOut = drained === undefined || (await isShut(snapshot, drained));
  const volumes = await volumesOn(snapshot, subject);
  if (judgement.kind === 'failed') {
    const unjudged = judgement.failure.message;
    return { ...nothing, ...volumes, node, ...(!isShutOut && { unjudged, message: unjudged }) };
  }
  const { verdicts } = judgement;
  const plan = planDrain(isShutOut ? [] : verdicts, { records: new Map() });
  const terminating = await terminatingNamespaces(snapshot, plan);
  const { budgets, ...budgetsUnread } = await orUnread(
    async () => ({ budgets: await budgetsFor(snapshot, plan) }),
    (why) => ({ budgets: [], budgetsUnread: why }),
  );
  const answers = refusedIn(terminating, plan, previewEvictions(plan, budgets));
  const message = drained === undefined ? '' : messageOf(drained, plan, answers, snapshot.now());
  return { node, verdicts, plan, answers, terminating, ...volumes, ...budgetsUnread, message };
}

const isShut = async (snapshot: ClusterSnapshot, subject: Subject): Promise<boolean> =>
  subject.dialect.isDone(subject.machine, 'drain') ||
  (await observeGate(snapshot, subject, 'drain')) !== undefined;

/** Another control plane Node that is cordoned, where only one may be. */
async function cordonedBefore(
  snapshot: ClusterSnapshot,
  subject: Subject,
  node: Node,
): Promise<Node | undefined> {
  if (node.spec?.unschedulable === true) return undefined;
  const seen = await observeCordon(snapshot, subject, node);
  return seen.kind === 'not-permitted' ? seen.other : undefined;
}

/** Those of the namespaces of Pods that have to go now. */
export async function budgetsFor(
  snapshot: Pick<ClusterSnapshot, 'list'>,
  { evictNow }: Pick<DrainPlan, 'evictNow'>,
): Promise<PodDisruptionBudget[]> {
  const spaces = [...new Set(evictNow.map(({ metadata }) => metadata.namespace ?? ''))];
  const lists = await Promise.all(
    spaces.map((namespace) => snapshot.list('workload', podDisruptionBudgets, { namespace })),
  );
  return lists.flatMap(({ items }) => items as PodDisruptionBudget[]);
}

const volumesOn = (snapshot: ClusterSnapshot, subject: Subject): Promise<PlannedVolumes> =>
  orUnread<PlannedVolumes>(
    () => volumesSeen(snapshot, subject),
    (volumesUnread) => ({ volumesUnread }),
  );

/** Of a drain on the way nothing is on record yet that could be taken up again. */
async function volumesSeen(snapshot: ClusterSnapshot, subject: Subject): Promise<PlannedVolumes> {
  const coming = comingTo('volume-detach', subject, snapshot.now());
  const { drain: _, ...passed } = coming.checkpoint.passed;
  const seen = await observeDetach(snapshot, { ...coming, checkpoint: { ...coming.checkpoint, passed } });
  if (seen.kind === 'unjudged') return { volumesUnjudged: seen.failure.message };
  if (seen.kind !== 'attached') return {};
  const { volumes, attachments = [], leftClaims = [] } = seen;
  return { volumes, attachments, leftClaims };
}

function messageOf(
  subject: Subject,
  plan: DrainPlan,
  answers: ReadonlyMap<string, EvictionAnswer>,
  now: Instant,
): string {
  if (plan.batches.length === 0) return '';
  const startedAt = shownStart(subject, now);
  return drainMessage({ plan, answers, records: new Map(), startedAt });
}
