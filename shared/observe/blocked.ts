import { asksForNamespace, type BlockedRules, type Ruling, rulingFor } from '../blocked/entry.ts';
import { dueAt, type Prospect, prospectOf, type Ruled } from '../blocked/prospect.ts';
import { judgeRollout, type RolloutVerdict } from '../blocked/rollout.ts';
import type { ObservedDrain } from '../drain/plan.ts';
import type { EvictionAnswer, RefusalCause } from '../kubernetes/client.ts';
import { readOr } from '../kubernetes/errors.ts';
import { type Pod, uidOf } from '../kubernetes/objects.ts';
import { type LastingCause, lastingAfter } from '../machine/lasting-cause.ts';
import { type Subject, sinceDeletion } from '../phase/definition.ts';
import { selectable } from '../phase/hooks.ts';
import { policiesAgeMilliseconds } from '../phase/places.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { isFor, readPolicies } from '../policies/drain-policy.ts';
import type { Instant } from '../time/clock.ts';
import { namespaceLabels } from './pods.ts';
import { readRollout } from './rollout.ts';

/** What DrainPolicies do about the Pods that are refused, in the order of the plan. Nothing is read where none is. */
export async function observeBlocked(
  snapshot: Snapshot,
  subject: Subject,
  { plan, records, answers }: Pick<ObservedDrain, 'plan' | 'records' | 'answers'>,
): Promise<Prospect[]> {
  const refused = plan.evictNow.flatMap((pod) => {
    const answer = answers.get(uidOf(pod));
    const known = records.get(uidOf(pod))?.lasting;
    const lasting = snapshot.isForesight ? lastingForeseen(known, answer, snapshot.now()) : known;
    if (lasting === undefined || answer?.kind === 'accepted') return [];
    const since = sinceDeletion(subject.machine, lasting.since);
    return [{ pod, lasting: { ...lasting, since } }];
  });
  if (refused.length === 0) return [];
  const rules = await rulesFor(snapshot, subject);
  if (rules.length === 0) return [];
  const pods = refused.map(({ pod }) => pod);
  const labels = await labelsOfNamespaces(snapshot, rules, pods);
  const prospects = refused.map(({ pod, lasting }) => {
    const { labels: own = {}, namespace = '' } = pod.metadata;
    const about = { labels: own, namespaceLabels: labels?.get(namespace) };
    return observePod(snapshot, subject, {
      pod,
      lasting,
      rulingBy: (each) => rulingFor(rules, { ...about, lasting: each }),
    });
  });
  return (await Promise.all(prospects)).flat();
}

interface Refused {
  pod: Pod;
  lasting: LastingCause;
  rulingBy: (lasting: LastingCause) => Ruling | undefined;
}

/** A restart brings a second Pod. By that the budget may be exhausted that never allowed one before, and the rule be gone. */
const sameBudget: Partial<Record<RefusalCause, RefusalCause>> = {
  BudgetExhausted: 'BudgetNeverAllows',
  BudgetNeverAllows: 'BudgetExhausted',
};

async function observePod(snapshot: Snapshot, subject: Subject, refused: Refused): Promise<Prospect[]> {
  const { pod, lasting, rulingBy } = refused;
  const ruling = rulingBy(lasting);
  if (ruling !== undefined) return [await observeProspect(snapshot, subject, { ...ruling, pod, lasting })];
  const before = sameBudget[lasting.cause];
  const earlier = before === undefined ? undefined : rulingBy({ ...lasting, cause: before });
  if (earlier?.entry.action !== 'RolloutRestart') return [];
  const found = await observeProspect(snapshot, subject, { ...earlier, pod, lasting });
  return isOfOurRestart(found) ? [found] : [];
}

const isOfOurRestart = ({ outlook }: Prospect): boolean =>
  (outlook.kind === 'running' && outlook.isOurs) || outlook.kind === 'failed' || outlook.kind === 'done';

/** A look that only foresees records no attempt. */
const lastingForeseen = (
  known: LastingCause | undefined,
  answer: EvictionAnswer | undefined,
  now: Instant,
): LastingCause | undefined =>
  answer?.kind === 'refused' ? lastingAfter(known, { cause: answer.cause, at: now, wasFree: false }) : known;

/** Of those for the Machine. A list that fails has none: nothing is done then, and the drain goes on as without. */
async function rulesFor(snapshot: Snapshot, subject: Subject): Promise<BlockedRules[]> {
  const { namespace } = subject.machine.ref;
  const objects = await readOr([], async () => snapshot.policies.list(namespace, policiesAgeMilliseconds));
  return readPolicies(objects ?? [])
    .policies.filter((policy) => isFor(policy, selectable(subject)) && policy.spec.blocked.length > 0)
    .map(({ name, spec }) => ({ name, entries: spec.blocked }));
}

/** Undefined where they do not decide, or were not read. */
async function labelsOfNamespaces(
  snapshot: Snapshot,
  rules: readonly BlockedRules[],
  pods: readonly Pod[],
): Promise<Awaited<ReturnType<typeof namespaceLabels>> | undefined> {
  if (!rules.some(({ entries }) => entries.some(asksForNamespace))) return undefined;
  return readOr(undefined, async () => namespaceLabels(snapshot, pods));
}

async function observeProspect(snapshot: Snapshot, subject: Subject, ruled: Ruled): Promise<Prospect> {
  const now = snapshot.now();
  const { actions: granted, tried } = snapshot;
  const isRead = granted.has(ruled.entry.action) && (snapshot.isForesight || dueAt(ruled) <= now);
  const rollout =
    isRead && !tried.has(uidOf(ruled.pod)) ? await rolloutOf(snapshot, subject, ruled) : undefined;
  return prospectOf(ruled, { granted, tried, rollout, now });
}

async function rolloutOf(
  snapshot: Snapshot,
  { machine }: Subject,
  { pod, entry }: Ruled,
): Promise<RolloutVerdict | undefined> {
  if (entry.action !== 'RolloutRestart') return undefined;
  const seen = await readRollout((resource, key) => snapshot.get('workload', resource, key), pod);
  return judgeRollout(seen, { machineUid: machine.ref.uid, maxReplicas: entry.maxReplicas });
}
