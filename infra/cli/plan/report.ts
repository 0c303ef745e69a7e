import { meaningOf } from '../../../shared/explain/refusal-meaning.ts';
import type {
  DeletionPlan,
  PlannedPhase,
  PlannedRefusal,
  PlannedRefusalAhead,
} from '../../../shared/plan/deletion-plan.ts';
import type { Paint } from '../../terminal/paint.ts';
import { counted, printable } from '../../terminal/words.ts';
import { columns } from './columns.ts';
import {
  headed,
  limits,
  returning,
  type Section,
  terminating,
  unawaited,
  unreachable,
  volumeDetails,
} from './outlook.ts';

interface Heading {
  /** The Machine, as the user must type it. */
  label: string;
  /** What was done to the manifests. */
  notes: readonly string[];
  /** What could not be read; nothing is said where there is none. */
  unread?: readonly string[];
}

/** The plan for people to read, one section after the other. */
export function reportLines(
  plan: DeletionPlan,
  { label, notes, unread = [] }: Heading,
  paint: Paint,
): string[] {
  const title = paint('bold', `Deleting Machine ${label}`);
  const dimmed = [...standing(plan), ...notes.map(printable)].map((line) => paint('dim', `  ${line}`));
  const written = sections.map((section) => section(plan, paint)).filter((lines) => lines.length > 0);
  const missed = unread.length === 0 ? [] : ['', ...unread.map((line) => paint('yellow', printable(line)))];
  return [title, ...dimmed, ...written.flatMap((lines) => ['', ...lines]), ...missed];
}

const standing = ({ stands }: DeletionPlan): string[] =>
  stands === undefined ? [] : [`it is in the phase ${stands.phase}, which began at ${stands.since}`];

const does: Record<PlannedPhase['does'], string> = {
  work: 'runs',
  wait: 'blocks',
  pass: 'passes',
  skip: 'skips',
  passed: 'passed',
  unknown: 'unknown',
};

const styles = {
  work: 'cyan',
  wait: 'yellow',
  pass: 'green',
  skip: 'dim',
  passed: 'dim',
  unknown: 'yellow',
} as const;

const phases: Section = (plan, paint) => [
  paint('bold', 'Phases'),
  ...columns(plan.phases.map(({ phase, does: what, why }) => [phase, does[what], why])).map((line, index) => {
    const what = plan.phases[index]?.does ?? 'work';
    return `  ${what === 'work' ? line : paint(styles[what], line)}`;
  }),
];

const holds: Section = ({ held }, paint) => {
  if (held.length === 0) return [];
  const lines = held.flatMap(({ reason, message: text, remarks = [] }) => [
    paint('yellow', `  ${reason}: ${printable(text)}`),
    ...remarks.map((remark) => `    ${printable(remark)}`),
  ]);
  return [paint('bold', 'Nothing is done to the Machine as it is now'), ...lines];
};

const hooks: Section = (plan, paint) => {
  const rows = plan.hooks.map(({ point, name, owner }) => [point, name, owner ?? '']);
  return headed(paint, 'Hooks that their owners have to remove', columns(rows));
};

const pods: Section = ({ pods: all, batches }, paint) => {
  if (all.length === 0) return [];
  const batchOf = new Map(
    batches.flatMap((batch, index) => batch.pods.map((pod) => [pod, index + 1] as const)),
  );
  const rank = (pod: string): number => batchOf.get(pod) ?? batches.length + 1;
  const rows = all
    .map((pod) => ({ ...pod, pod: `${pod.namespace}/${pod.name}` }))
    .toSorted((one, other) => rank(one.pod) - rank(other.pod) || (one.pod < other.pod ? -1 : 1));
  const table = columns([
    ['BATCH', 'POD', 'BEHAVIOR', 'ORDER', 'BECAUSE OF'],
    ...rows.map(({ pod, behavior, order, decidedBy }) => {
      const isOrdered = behavior !== 'Skip';
      return [String(batchOf.get(pod) ?? '-'), pod, behavior, isOrdered ? String(order) : '-', decidedBy];
    }),
  ]);
  const warnings = rows.flatMap(({ pod, warnings: texts }) =>
    texts.map((text) => `  ${pod}: ${printable(text)}`),
  );
  const title = `Pods on the Node: ${all.length}; ${batchOf.size} leave in ${counted(batches.length, 'batch', 'batches')}`;
  return [...headed(paint, title, table), ...warnings.map((line) => paint('yellow', line))];
};

const refusals: Section = (plan, paint) =>
  refusalLines(
    paint,
    'Evictions of the first batch that would be refused now',
    plan.refusals.filter(({ cause }) => cause !== 'Unknown'),
    sayNow,
  );

/** What can never pass is said from the beginning: the batches before it would be away by then. */
const ahead: Section = ({ refusalsAhead = [] }, paint) =>
  refusalLines(paint, 'Evictions of later batches that will be refused', refusalsAhead, sayAhead);

const unknowns: Section = (plan, paint) =>
  refusalLines(
    paint,
    'Evictions of the first batch whose answer is unknown',
    plan.refusals.filter(({ cause }) => cause === 'Unknown'),
    sayNow,
  );

const sayNow = ({ cause, budget }: PlannedRefusal): string =>
  `${cause}${budget === undefined ? '' : ` by PodDisruptionBudget ${budget}`}`;

const sayAhead = ({ cause, budget, batch }: PlannedRefusalAhead): string =>
  budget === undefined
    ? `will be refused in batch ${batch}: ${cause}`
    : `PodDisruptionBudget ${budget} will refuse in batch ${batch}: ${cause}`;

function refusalLines<T extends PlannedRefusal>(
  paint: Paint,
  title: string,
  those: readonly T[],
  say: (refusal: T) => string,
): string[] {
  const lines = those.flatMap((refusal) => [
    `${paint('red', refusal.pod)}  ${say(refusal)}`,
    `  ${printable(refusal.message)}`,
    ...(refusal.explanation === undefined ? [] : [`  ${printable(refusal.explanation)}`]),
    `  ${paint('dim', meaningOf(refusal))}`,
  ]);
  return headed(paint, title, lines);
}

const volumes: Section = (plan, paint) => {
  const rows = plan.volumes.map((volume) => [volume.kind, volume.name, volumeDetails(volume)]);
  return headed(paint, 'Volumes that have to come off', columns(rows));
};

const message: Section = ({ message: text }, paint) =>
  headed(paint, 'What the Machine would say', text === '' ? [] : text.split('\n').map(printable));

const unsure: Section = ({ unsure: all = [] }, paint) =>
  all.map((line) => paint('yellow', `Unsure: ${printable(line)}`));

const sections: readonly Section[] = [
  holds,
  unsure,
  phases,
  hooks,
  pods,
  unreachable,
  terminating,
  refusals,
  ahead,
  unknowns,
  returning,
  volumes,
  unawaited,
  limits,
  message,
];
