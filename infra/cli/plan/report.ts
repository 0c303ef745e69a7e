import {
  doesWords,
  functionRows,
  refusalAheadWords,
  refusalsOf,
  refusalWords,
  titles,
  unaskedTexts,
  volumeDetails,
} from '../../../shared/explain/plan-words.ts';
import { meaningOf } from '../../../shared/explain/refusal-meaning.ts';
import { helpText } from '../../../shared/hooks/words.ts';
import type { DeletionPlan, PlannedRefusal } from '../../../shared/plan/deletion-plan.ts';
import type { Paint } from '../../terminal/paint.ts';
import { counted, printable } from '../../terminal/words.ts';
import { columns } from './columns.ts';
import { headed, limits, returning, type Section, terminating, unawaited, unreachable } from './outlook.ts';

/** The plan for people to read, one section after the other. `label`: the Machine, as the user must type it. */
export function reportLines(plan: DeletionPlan, label: string, paint: Paint): string[] {
  const title = paint('bold', `Deleting Machine ${label}`);
  const dimmed = standing(plan).map((line) => paint('dim', `  ${line}`));
  const written = sections.map((section) => section(plan, paint)).filter((lines) => lines.length > 0);
  return [title, ...dimmed, ...written.flatMap((lines) => ['', ...lines])];
}

const standing = ({ stands }: DeletionPlan): string[] =>
  stands === undefined ? [] : [`it is in the phase ${stands.phase}, which began at ${stands.since}`];

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
  ...columns(plan.phases.map(({ phase, does: what, why }) => [phase, doesWords[what], why])).map(
    (line, index) => {
      const what = plan.phases[index]?.does ?? 'work';
      return `  ${what === 'work' ? line : paint(styles[what], line)}`;
    },
  ),
];

const holds: Section = ({ held }, paint) => {
  if (held.length === 0) return [];
  const lines = held.flatMap(({ reason, message: text, remarks = [] }) => [
    paint('yellow', `  ${reason}: ${printable(text)}`),
    ...remarks.map((remark) => `    ${printable(remark)}`),
  ]);
  return [paint('bold', titles.held), ...lines];
};

const hooks: Section = (plan, paint) => {
  const rows = plan.hooks.map((hook) => [
    hook.point,
    hook.name,
    [hook.owner, ...helpText(hook)].filter((text) => text !== undefined).join(', '),
  ]);
  return headed(paint, titles.hooks, columns(rows));
};

const functions: Section = (plan, paint) => [
  ...headed(paint, titles.functions, columns(functionRows(plan))),
  ...headed(paint, titles.unasked, unaskedTexts(plan).map(printable)),
];

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
  refusalLines(paint, titles.refusals, refusalsOf(plan).known, refusalWords);

/** What can never pass is said from the beginning: the batches before it would be away by then. */
const ahead: Section = ({ refusalsAhead = [] }, paint) =>
  refusalLines(paint, titles.refusalsAhead, refusalsAhead, refusalAheadWords);

const unknowns: Section = (plan, paint) =>
  refusalLines(paint, titles.refusalsUnknown, refusalsOf(plan).unknown, refusalWords);

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
  return headed(paint, titles.volumes, columns(rows));
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
  functions,
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
