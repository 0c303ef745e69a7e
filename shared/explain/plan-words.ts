import type { Toleration } from '../kubernetes/objects.ts';
import { isLimited } from '../machine/machine.ts';
import type {
  DeletionPlan,
  PlannedFunction,
  PlannedLimit,
  PlannedPhase,
  PlannedRefusal,
  PlannedRefusalAhead,
  PlannedUnreachable,
  PlannedVolume,
} from '../plan/deletion-plan.ts';
import type { Ends } from './explanation.ts';

/** What the command line and the page say of a plan, in the same words. */

/** What a phase does. */
export const doesWords: Readonly<Record<PlannedPhase['does'], string>> = {
  work: 'runs',
  wait: 'blocks',
  pass: 'passes',
  skip: 'skips',
  passed: 'passed',
  unknown: 'unknown',
};

/** Whether something ends by itself. */
export const endsWords: Readonly<Record<Ends, string>> = {
  no: 'does not end by itself',
  unknown: 'may not end by itself',
  yes: 'ends by itself',
};

/** The headings of what stands in a plan. */
export const titles = {
  held: 'Nothing is done to the Machine as it is now',
  hooks: 'Hooks that their owners have to remove',
  functions: 'Functions that have to answer Done first',
  unasked: 'DeletionHooks that ask nothing for this Machine',
  refusals: 'Evictions of the first batch that would be refused now',
  refusalsAhead: 'Evictions of later batches that will be refused',
  refusalsUnknown: 'Evictions of the first batch whose answer is unknown',
  returning:
    'Pods that tolerate the cordon: they will come back as long as they may be scheduled onto this Node',
  pinned: 'Pods that are made on this very Node: they will come back as long as the template names it',
  namespaces: 'Namespaces that are being deleted: every eviction of their Pods is refused',
  volumes: 'Volumes that have to come off',
  unawaited: 'Volumes that are attached and not waited for',
  limits: 'Time limits',
} as const;

/** Under the Pods that return. */
export const heldByReturns =
  'the drain is not done while one of them is on the Node: each that comes back is evicted again every 20 s';

/** That a Node is unreachable, and since when. */
export const unreachableTitle = ({ node, since }: PlannedUnreachable): string =>
  `Node ${node} is unreachable, ${since === undefined ? 'since when it does not say' : `since ${since}`}`;

/** What it changes that a Node is unreachable. */
export const unreachableChanges = ({ changes }: PlannedUnreachable): readonly string[] =>
  changes.length === 0 ? [changesNothing] : changes;

const changesNothing = 'that changes nothing: no Pod is evicted any more, and no volume is waited for';

/** The phases with a time limit, and those that are never given up. */
export function limitRows({ limits = [], phases }: DeletionPlan): [phase: string, limit: string][] {
  const open = phases.filter(
    ({ phase, does }) =>
      isLimited(phase) &&
      (does === 'work' || does === 'wait') &&
      !limits.some((each) => each.phase === phase),
  );
  return [
    ...limits.map((limit): [string, string] => [limit.phase, `${givenUp(limit)}; then ${limit.afterwards}`]),
    ...open.map(({ phase }): [string, string] => [phase, 'is never given up: no time limit is set']),
  ];
}

function givenUp({ seconds, since, givenUpAt, leftSeconds }: PlannedLimit): string {
  if (givenUpAt === undefined) return `is given up ${seconds} s after it begins`;
  if (leftSeconds === 0) return `is given up: its ${seconds} s were over at ${givenUpAt}`;
  return `is given up at ${givenUpAt}, in ${leftSeconds} s (${seconds} s after ${since})`;
}

/** Pods that come back, by what brings them back: `toleration {key: node.kubernetes.io/unschedulable, operator: Exists}`. */
export function returningRows({
  returning = [],
}: DeletionPlan): { title: string; rows: [string, string][] }[] {
  const tolerating = returning.flatMap(({ pod, toleration }): [string, string][] =>
    toleration ? [[pod, `toleration ${inYaml(toleration)}`]] : [],
  );
  const pinned = returning.flatMap(({ pod, pinnedBy }): [string, string][] =>
    pinnedBy ? [[pod, `nodeName in the template of ${pinnedBy}`]] : [],
  );
  return [
    { title: titles.returning, rows: tolerating },
    { title: titles.pinned, rows: pinned },
  ].filter(({ rows }) => rows.length > 0);
}

const inYaml = (toleration: Toleration): string =>
  `{${Object.entries(toleration)
    .map(([field, value]) => `${field}: ${String(value)}`)
    .join(', ')}}`;

/** `of PersistentVolume pvc-gone`. */
export function volumeDetails(volume: PlannedVolume): string {
  const { persistentVolume, attachment, detachError, isVolumeGiven } = volume;
  const given = isVolumeGiven === false ? ', which was not given' : '';
  return [
    ...(persistentVolume === undefined ? [] : [`of PersistentVolume ${persistentVolume}${given}`]),
    ...(attachment === undefined ? [] : [`VolumeAttachment ${attachment}`]),
    ...(detachError === undefined ? [] : [`detaching failed: ${detachError}`]),
  ].join('; ');
}

/** Refusals of the first batch whose answer is known, and those whose answer is not. */
export const refusalsOf = ({
  refusals,
}: DeletionPlan): { known: PlannedRefusal[]; unknown: PlannedRefusal[] } => ({
  known: refusals.filter(({ cause }) => cause !== 'Unknown'),
  unknown: refusals.filter(({ cause }) => cause === 'Unknown'),
});

/** `BudgetExhausted by PodDisruptionBudget shop/web`, and what a DrainPolicy does about it. */
export const refusalWords = ({ cause, budget, action }: PlannedRefusal): string =>
  [
    cause,
    ...(budget === undefined ? [] : [` by PodDisruptionBudget ${budget}`]),
    ...(action === undefined ? [] : [`; ${action}`]),
  ].join('');

/** The same of a later batch. */
export const refusalAheadWords = ({ cause, budget, batch }: PlannedRefusalAhead): string =>
  budget === undefined
    ? `will be refused in batch ${batch}: ${cause}`
    : `PodDisruptionBudget ${budget} will refuse in batch ${batch}: ${cause}`;

/** The functions that are asked: where, by which DeletionHook, who can help, and what comes after its time. */
export const functionRows = ({ functions = [] }: DeletionPlan): string[][] =>
  functions
    .filter(({ whyNot }) => whyNot === undefined)
    .map((each) => [each.place, each.hook ?? 'unknown', helpIn(each), each.unclear ?? endOf(each)]);

const helpIn = ({ contact, runbook }: PlannedFunction): string =>
  [contact, runbook].filter((text) => text !== undefined).join(' ') || '-';

const endOf = ({ proceedsAfterSeconds: seconds }: PlannedFunction): string =>
  seconds === undefined ? 'waits for Done' : `goes on after ${seconds} s`;

/** DeletionHooks that ask nothing for the Machine, each with the reason. */
export const unaskedTexts = ({ functions = [] }: DeletionPlan): string[] => functions.flatMap(unaskedText);

/** `DeletionHook move-data asks nothing at PreDrain: …`. */
const unaskedText = ({ hook, place, whyNot }: PlannedFunction): string[] =>
  whyNot === undefined ? [] : [`DeletionHook ${hook} asks nothing at ${place}: ${whyNot}`];
