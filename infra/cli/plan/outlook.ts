import {
  heldByReturns,
  limitRows,
  returningRows,
  titles,
  unreachableChanges,
  unreachableTitle,
  volumeDetails,
} from '../../../shared/explain/plan-words.ts';
import type { DeletionPlan, PlannedUnawaited } from '../../../shared/plan/deletion-plan.ts';
import type { Paint } from '../../terminal/paint.ts';
import { printable } from '../../terminal/words.ts';
import { columns } from './columns.ts';

/** A part of the report; empty where it has nothing to say. */
export type Section = (plan: DeletionPlan, paint: Paint) => string[];

/** Lines under a title; nothing where there are none. */
export const headed = (paint: Paint, title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [paint('bold', title), ...lines.map((line) => `  ${line}`)];

/** That the Node is unreachable, and what that changes. */
export const unreachable: Section = ({ unreachable: node }, paint) => {
  if (node === undefined) return [];
  return [
    paint('yellow', printable(unreachableTitle(node))),
    ...unreachableChanges(node).map((line) => `  ${line}`),
  ];
};

/** When steps are given up, and which never are. */
export const limits: Section = (plan, paint) => headed(paint, titles.limits, columns(limitRows(plan)));

export const returning: Section = (plan, paint) =>
  returningRows(plan).flatMap(({ title, rows }) => headed(paint, title, [...columns(rows), heldByReturns]));

export const terminating: Section = ({ namespaces = [] }, paint) =>
  headed(
    paint,
    titles.namespaces,
    namespaces.flatMap(({ name, reason, since, remaining }) => [
      `${printable(name)}  ${reason} since ${printable(since)}`,
      ...remaining.map((line) => `  ${printable(line)}`),
    ]),
  );

export const unawaited: Section = ({ unawaited: volumes = [] }, paint) =>
  headed(paint, titles.unawaited, columns(volumes.map(unawaitedRow)));

const unawaitedRow = (volume: PlannedUnawaited): string[] => [
  volume.kind,
  volume.name,
  [volumeDetails(volume), volume.why].filter((text) => text !== '').join('; '),
];
