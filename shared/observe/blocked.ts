import {
  asksForNamespace,
  type BlockedRules,
  blockedCauses,
  type Ruling,
  rulingFor,
} from '../blocked/entry.ts';
import { dueAt, type Prospect, prospectOf, type Ruled } from '../blocked/prospect.ts';
import { judgeRollout, type RolloutVerdict } from '../blocked/rollout.ts';
import type { ObservedDrain } from '../drain/plan.ts';
import type { EvictionAnswer } from '../kubernetes/client.ts';
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

/**
 * Our own restart comes first. It brings a second Pod. By that a budget that never allowed one may be exhausted, and
 * another entry rule. A Delete in its midst would leave a gap.
 */
async function observePod(snapshot: Snapshot, subject: Subject, refused: Refused): Promise<Prospect[]> {
  const { pod, lasting, rulingBy } = refused;
  const ruling = rulingBy(lasting);
  const ours =
    ruling?.entry.action === 'RolloutRestart'
      ? undefined
      : await ourRestart(snapshot, subject, refused, ruling);
  if (ours !== undefined) return [ours];
  return ruling === undefined ? [] : [await observeProspect(snapshot, subject, { ...ruling, pod, lasting })];
}

/** The restart of its Deployment that was made for this Machine; undefined where none was. */
async function ourRestart(
  snapshot: Snapshot,
  subject: Subject,
  { pod, lasting, rulingBy }: Refused,
  present: Ruling | undefined,
): Promise<Prospect | undefined> {
  if (!snapshot.actions.has('RolloutRestart')) return undefined;
  const restart = blockedCauses
    .map((cause) => rulingBy({ ...lasting, cause }))
    .find((each) => each?.entry.action === 'RolloutRestart');
  if (restart === undefined) return undefined;
  const isDue = [restart, present].some((each) => each && dueAt({ ...each, lasting }) <= snapshot.now());
  if (!isDue) return undefined;
  const ruled = { ...restart, pod, lasting };
  const outlook = await rolloutOf(snapshot, subject, ruled);
  const isOurs =
    (outlook?.kind === 'running' && outlook.isOurs) || outlook?.kind === 'failed' || outlook?.kind === 'done';
  return isOurs ? { ...ruled, at: dueAt(ruled), outlook } : undefined;
}

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
