import { denyingWebhook } from '../../drain/eviction-answer.ts';
import { isUnsynced } from '../../drain/unsynced.ts';
import { type Pod, type PodDisruptionBudget, podName } from '../../kubernetes/objects.ts';
import type { PlannedRefusal } from '../../plan/deletion-plan.ts';
import { listOf } from '../../text/truncate.ts';
import { type DrainLine, drainLines, ruledLines } from '../drain-lines.ts';
import type { Cause, Ends } from '../explanation.ts';
import { isLong } from '../lasting.ts';
import { keeperOf } from '../owner.ts';
import { meaningOf } from '../refusal-meaning.ts';
import type { Seen } from '../seen.ts';
import { webhookCause } from './webhook.ts';

const endsOf: Readonly<Record<PlannedRefusal['cause'], Ends>> = {
  BudgetExhausted: 'yes',
  BudgetNeverAllows: 'no',
  BudgetHeldByOperator: 'unknown',
  BudgetNotObserved: 'yes',
  MultipleBudgets: 'no',
  NamespaceTerminating: 'unknown',
  AdmissionWebhook: 'unknown',
  Throttled: 'yes',
  NotAttempted: 'yes',
  Unknown: 'unknown',
  Failed: 'unknown',
};

/** Evictions that are refused now: those of one budget together. */
export function refusalCauses(seen: Seen): Cause[] {
  const { plan } = seen;
  const groups = Map.groupBy(plan.refusals, ({ cause, budget, message }) =>
    JSON.stringify([cause, budget ?? message]),
  );
  return [...[...groups.values()].map((refusals) => refusalCause(seen, refusals)), ...shownRefusals(seen)];
}

/** Of one budget, or for one reason. */
export function refusalCause(seen: Seen, refusals: readonly PlannedRefusal[]): Cause {
  const [{ cause, budget: key, message, explanation } = none] = refusals;
  if (cause === 'NamespaceTerminating') return namespaceCause(seen, refusals);
  const pods = refusals.map(({ pod }) => pod);
  const budget = seen.budgets.find(({ metadata }) => `${metadata.namespace}/${metadata.name}` === key);
  const keeper = keeperOfBudget(seen, budget, pods);
  const isComputed = cause !== 'Unknown' && !isUnsynced(message);
  return {
    kind: key === undefined ? 'eviction' : 'budget',
    code: cause,
    phase: 'drain',
    what: cause === 'Unknown' ? unknownOf(key, pods) : refusesOf(key ?? cause, key, pods),
    ...budgetObject(key),
    ...(keeper !== undefined && { owner: keeper }),
    ...(budget && isComputed && { numbers: { ...numbersOf(budget), ...toldIn(message) } }),
    details: [
      message,
      ...(explanation === undefined ? [] : [explanation]),
      ...ruleOf(budget),
      ...actionsFor(seen, refusals),
    ],
    ...endsFor(seen, cause, message),
  };
}

/** What DrainPolicies do about these Pods: as the Machine says, or as it is foretold. */
function actionsFor({ standing }: Seen, refusals: readonly PlannedRefusal[]): string[] {
  const pods = refusals.map(({ pod }) => pod);
  const shown = standing?.phase === 'drain' ? ruledLines(standing.waitsFor.message, pods) : [];
  const foretold = refusals.flatMap(({ pod, action }) => (action === undefined ? [] : [`${pod}: ${action}`]));
  return [...shown, ...foretold];
}

const refusesOf = (who: string, key: string | undefined, pods: readonly string[]): string =>
  `${key === undefined ? who : `PodDisruptionBudget ${key}`} refuses ${listOf(pods, 3)}`;

const unknownOf = (key = '', pods: readonly string[]): string =>
  `whether PodDisruptionBudget ${key} lets ${listOf(pods, 3)} go is unknown`;

function budgetObject(key: string | undefined): Pick<Cause, 'object'> {
  const [namespace, name] = key?.split('/') ?? [];
  if (namespace === undefined || name === undefined) return {};
  const resource = 'poddisruptionbudgets.policy';
  return { object: { side: 'workload', resource, kind: 'PodDisruptionBudget', namespace, name } };
}

function endsFor(
  { standing, now }: Seen,
  cause: PlannedRefusal['cause'],
  message: string,
): Pick<Cause, 'endsByItself' | 'why'> {
  if (isUnsynced(message)) return { endsByItself: 'no', why: refusalText(cause, message) };
  const isStale = cause === 'BudgetExhausted' && isLong(standing?.since, now);
  if (!isStale) return { endsByItself: endsOf[cause], why: refusalText(cause) };
  const why = 'it has had no room for long: the Pods in their place may not become Ready';
  return { endsByItself: 'unknown', why };
}

/** The API refuses every eviction from such a namespace, whatever a budget says. */
function namespaceCause({ plan }: Seen, refusals: readonly PlannedRefusal[]): Cause {
  const pods = refusals.map(({ pod }) => pod);
  const names = [...new Set(pods.map((pod) => pod.split('/')[0] ?? ''))];
  const [name = ''] = names;
  return {
    kind: 'namespace',
    phase: 'drain',
    what: `Namespace ${names.join(', ')} is being deleted: no Pod of it is evicted (${listOf(pods, 3)})`,
    object: { side: 'workload', resource: 'namespaces', kind: 'Namespace', name },
    details: (plan.namespaces ?? [])
      .filter((each) => names.includes(each.name))
      .flatMap(({ since, remaining }) => [`since ${since}`, ...remaining]),
    endsByItself: endsOf.NamespaceTerminating,
    why: refusalText('NamespaceTerminating'),
  };
}

/** In the midst of a line. */
const refusalText = (cause: PlannedRefusal['cause'], message = ''): string =>
  meaningOf({ cause, message }).replace(/^[A-Z]/, (letter) => letter.toLowerCase());

const none: PlannedRefusal = { pod: '', cause: 'Unknown', message: '' };

/** What the budget wants, what it has, and what it lets go. */
function numbersOf({ status = {} }: PodDisruptionBudget): Record<string, number> {
  const { desiredHealthy, currentHealthy, disruptionsAllowed, expectedPods } = status;
  const all = {
    needs: desiredHealthy,
    has: currentHealthy,
    allows: disruptionsAllowed,
    expects: expectedPods,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

/** An eviction that the budget allows first is taken off it. Then the answer has other numbers than its status. */
function toldIn(message: string): Record<string, number> {
  const [, needs, has] = /needs (\d+) healthy pods and has (\d+) currently/.exec(message) ?? [];
  return needs === undefined ? {} : { needs: Number(needs), has: Number(has), allows: 0 };
}

function ruleOf(budget: PodDisruptionBudget | undefined): string[] {
  const { minAvailable, maxUnavailable } = budget?.spec ?? {};
  if (minAvailable !== undefined) return [`minAvailable ${minAvailable}`];
  return maxUnavailable === undefined ? [] : [`maxUnavailable ${maxUnavailable}`];
}

function keeperOfBudget(
  { pods }: Seen,
  budget: PodDisruptionBudget | undefined,
  names: readonly string[],
): string | undefined {
  const own = budget && keeperOf(budget);
  if (own !== undefined) return own;
  const owners = names.flatMap((name) => keeperOfPod(pods, name) ?? []);
  return owners.length === 0 ? undefined : `${listOf([...new Set(owners)], 2)} (of the Pods)`;
}

function keeperOfPod(pods: readonly Pod[], name: string): string | undefined {
  const pod = pods.find((each) => podName(each) === name);
  return pod && keeperOf(pod);
}

/** Refusals that no budget explains, such as a webhook's, and those of unread Pods. Only the Machine shows them. */
function shownRefusals({ standing, plan }: Seen): Cause[] {
  if (standing?.phase !== 'drain') return [];
  const explained = new Set(plan.refusals.map(({ pod }) => pod));
  const read = new Set(plan.pods.map(({ namespace, name }) => `${namespace}/${name}`));
  const { message } = standing.waitsFor;
  return drainLines(message)
    .filter(
      ({ kind, pods }) =>
        kind === 'refused' ||
        (kind === 'budget' || kind === 'several-budgets' ? !pods.some((pod) => read.has(pod)) : false),
    )
    .filter(({ pods }) => !pods.some((pod) => explained.has(pod)))
    .map((line) => withLines(shownRefusal(line), ruledLines(message, line.pods)));
}

const withLines = (cause: Cause, lines: readonly string[]): Cause =>
  lines.length === 0 ? cause : { ...cause, details: [...cause.details, ...lines] };

function shownRefusal({ kind, pods, text, budget }: DrainLine): Cause {
  const { needs, has } = toldIn(text);
  const isForEver = kind === 'several-budgets';
  const webhook = kind === 'refused' ? denyingWebhook(text) : undefined;
  if (webhook !== undefined) return webhookCause(webhook, pods, text);
  return {
    kind: kind === 'budget' ? 'budget' : 'eviction',
    phase: 'drain',
    what: `${budget === undefined ? 'the API' : `PodDisruptionBudget ${budget}`} refuses to evict ${listOf(pods, 3)}`,
    ...budgetObject(budget),
    ...(needs !== undefined && has !== undefined && { numbers: { needs, has } }),
    details: [text],
    endsByItself: isForEver ? 'no' : 'unknown',
    why: isForEver ? refusalText('MultipleBudgets') : 'the eviction is tried again',
  };
}
