import type { EvictionAnswer } from '../kubernetes/client.ts';
import { type Pod, podName, uidOf } from '../kubernetes/objects.ts';
import { compareBytes } from '../text/byte-order.ts';
import { commonLength, cut, listOf } from '../text/truncate.ts';
import { type Instant, rfc3339Seconds } from '../time/clock.ts';
import { budgetKey } from './budget-cause.ts';
import type { DrainPlan } from './plan.ts';
import type { PodRecord } from './pod-record.ts';
import { returnText } from './recreated-pods.ts';

export interface DrainMessageInputs {
  plan: DrainPlan;
  /** What evictions were answered in this look, by Pod UID. */
  answers: ReadonlyMap<string, EvictionAnswer>;
  /** What is remembered of Pods, by UID: the refusals of those not asked about in this look. */
  records: ReadonlyMap<string, PodRecord>;
  /** When the drain began. */
  startedAt: Instant;
  /** Pods that have come back after an eviction. Where they are for later no Pod above has to go first. */
  back?: readonly Pod[];
  /** Lines of ours about Pods that are not let go. */
  notes?: readonly string[];
}

/** A condition's message may have this many characters in Cluster API's older API. */
const longestMessage = 10_240;
const shownTexts = 5;
const shownPods = 3;

/** A line that ends in an error's text, which may be cut. */
interface Line {
  head: string;
  text?: string;
}

/** The message of a drain that is not finished, as Cluster API words it: tools and alerts read it. */
export function drainMessage(inputs: DrainMessageInputs): string {
  const { plan, answers, records, startedAt, back = [], notes = [] } = inputs;
  const now: Line[] = [
    ...bullet(podsOnTheirWay(plan, answers), 'deletionTimestamp set, but still not removed from the Node'),
    ...refusalLines(plan.evictNow, refusalTexts(plan.evictNow, answers, records)),
    ...bullet(
      plan.evictNow.filter((pod) => isWaiting(answers.get(uidOf(pod)))),
      'waiting for an eviction that has not been tried yet',
    ),
    ...bullet(plan.waitNow, 'waiting for completion'),
  ];
  const later = plan.evictLater.filter((pod) => !back.includes(pod));
  const laterText = now.length > 0 ? afterwards : next;
  const lines: Line[] = [
    { head: `Drain not completed yet (started at ${rfc3339Seconds(startedAt)}):` },
    ...now,
    ...laterText(later, 'the following Pods will be evicted'),
    ...laterText(plan.waitLater, 'waiting for the following Pods to complete without eviction'),
    ...[...returnText(back), ...notes].map((head) => ({ head })),
  ];
  return fitted(lines);
}

/** First those that were terminating before this look, then those that it evicted. */
export function podsOnTheirWay(
  { terminating, evictNow }: DrainPlan,
  answers: DrainMessageInputs['answers'],
): Pod[] {
  // One that is refused to be hurried goes all the same.
  const before = terminating.filter((pod) => [undefined, 'refused'].includes(answers.get(uidOf(pod))?.kind));
  const evicted = [...terminating, ...evictNow].filter((pod) => answers.get(uidOf(pod))?.kind === 'accepted');
  return [...before, ...evicted.toSorted((a, b) => compareBytes(podName(a), podName(b)))];
}

function refusalLines(pods: readonly Pod[], texts: ReadonlyMap<string, string>): Line[] {
  const refused = pods.filter((pod) => texts.has(uidOf(pod)));
  const byText = [...Map.groupBy(refused, (pod) => texts.get(uidOf(pod)) ?? '')].toSorted(([a], [b]) =>
    compareBytes(a, b),
  );
  const shown = byText.slice(0, shownTexts).map(([text, those]) => ({
    head: `* ${podsListed(those)}: `,
    text: worded(text),
  }));
  const others = byText.slice(shownTexts).reduce((count, [, those]) => count + those.length, 0);
  if (others === 0) return shown;
  return [...shown, { head: `* ${others} ${others === 1 ? 'Pod' : 'Pods'} with other issues` }];
}

const budgetSentence = "annot evict pod as it would violate the pod's disruption budget.";

/** A budget's refusal begins in lower case; all other texts say first what failed. */
function worded(text: string): string {
  const lowered = text.replaceAll(`C${budgetSentence}`, `c${budgetSentence}`);
  return lowered.startsWith(`c${budgetSentence}`) ? lowered : `failed to evict Pod, ${lowered}`;
}

const podList = (pods: readonly Pod[]): string => listOf(pods.map(podName), shownPods);

const podsListed = (pods: readonly Pod[]): string => `${pods.length === 1 ? 'Pod' : 'Pods'} ${podList(pods)}`;

const bullet = (pods: readonly Pod[], what: string): Line[] =>
  pods.length === 0 ? [] : [{ head: `* ${podsListed(pods)}: ${what}` }];

const afterwards = (pods: readonly Pod[], what: string): Line[] =>
  pods.length === 0
    ? []
    : [{ head: `After above Pods have been removed from the Node, ${what}: ${podList(pods)}` }];

/** The same in words of our own where no Pod stands above: Cluster API would point at nothing. */
const next = (pods: readonly Pod[], what: string): Line[] =>
  pods.length === 0 ? [] : [{ head: `Next, ${what}: ${podList(pods)}` }];

/** The structure stays whole; only errors' texts are cut, and only as far as needed. */
function fitted(lines: readonly Line[]): string {
  const structure = lines.reduce((length, { head }) => length + head.length + '\n'.length, 0);
  const texts = lines.flatMap(({ text }) => (text === undefined ? [] : [text.length]));
  const length = commonLength(texts, longestMessage - structure);
  return lines.map(({ head, text = '' }) => `${head}${cut(text, length)}`).join('\n');
}

/** Its turn has not come: the API server was not asked. */
export const isWaiting = (answer: EvictionAnswer | undefined): boolean =>
  answer?.kind === 'refused' && answer.cause === 'NotAttempted';

interface Refusal {
  text: string;
  budget: string | undefined;
  at: Instant;
}

/**
 * Why Pods are still there, by Pod UID. Not all Pods of one budget are asked each time. The budget's newest answer to any of
 * them stands for all.
 */
export function refusalTexts(
  pods: readonly Pod[],
  answers: ReadonlyMap<string, EvictionAnswer>,
  records: ReadonlyMap<string, PodRecord>,
): Map<string, string> {
  const newest = new Map<string, Refusal>();
  const own = new Map<string, Refusal>();
  for (const pod of pods) {
    const refusal = refusalOf(pod, answers.get(uidOf(pod)), records.get(uidOf(pod)));
    if (refusal === undefined) continue;
    own.set(uidOf(pod), refusal);
    const { budget, at } = refusal;
    if (budget !== undefined && at > (newest.get(budget)?.at ?? -1)) newest.set(budget, refusal);
  }
  return new Map([...own].map(([uid, refusal]) => [uid, newerOf(refusal, newest).text]));
}

function refusalOf(
  pod: Pod,
  answer: EvictionAnswer | undefined,
  record: PodRecord | undefined,
): Refusal | undefined {
  const { namespace } = pod.metadata;
  const keyOf = (name: string | undefined) => (name === undefined ? undefined : budgetKey(namespace, name));
  if (answer !== undefined) {
    if (answer.kind !== 'refused' || isWaiting(answer)) return undefined;
    return { text: answer.text, budget: keyOf(answer.budget), at: Number.POSITIVE_INFINITY };
  }
  // Older versions remembered that a Pod's turn had not come.
  if (record?.lastRefusal === undefined || record.lastRefusal.cause === 'NotAttempted') return undefined;
  const { text, budget } = record.lastRefusal;
  return { text, budget: keyOf(budget), at: record.lastAttempt };
}

function newerOf(refusal: Refusal, newest: ReadonlyMap<string, Refusal>): Refusal {
  const other = refusal.budget === undefined ? undefined : newest.get(refusal.budget);
  return other !== undefined && other.at > refusal.at ? other : refusal;
}
