import type { Toleration } from '../../../shared/kubernetes/objects.ts';
import { isLimited } from '../../../shared/machine/machine.ts';
import type {
  DeletionPlan,
  PlannedLimit,
  PlannedUnawaited,
  PlannedVolume,
} from '../../../shared/plan/deletion-plan.ts';
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
  const since = node.since === undefined ? 'since when it does not say' : `since ${printable(node.since)}`;
  const changes = node.changes.length === 0 ? [changesNothing] : node.changes;
  return [
    paint('yellow', `Node ${printable(node.node)} is unreachable, ${since}`),
    ...changes.map((line) => `  ${line}`),
  ];
};

const changesNothing = 'that changes nothing: no Pod is evicted any more, and no volume is waited for';

/** When steps are given up, and which never are. */
export const limits: Section = ({ limits: set = [], phases }, paint) => {
  const open = phases.filter(
    ({ phase, does }) =>
      isLimited(phase) && (does === 'work' || does === 'wait') && !set.some((limit) => limit.phase === phase),
  );
  const rows = [
    ...set.map((limit) => [limit.phase, `${givenUp(limit)}; then ${limit.afterwards}`]),
    ...open.map(({ phase }) => [phase, 'is never given up: no time limit is set']),
  ];
  return headed(paint, 'Time limits', columns(rows));
};

function givenUp({ seconds, since, givenUpAt, leftSeconds }: PlannedLimit): string {
  if (givenUpAt === undefined) return `is given up ${seconds} s after it begins`;
  if (leftSeconds === 0) return `is given up: its ${seconds} s were over at ${givenUpAt}`;
  return `is given up at ${givenUpAt}, in ${leftSeconds} s (${seconds} s after ${since})`;
}

export const returning: Section = ({ returning: pods = [] }, paint) =>
  headed(
    paint,
    'Pods that tolerate the cordon: they will come back as long as they may be scheduled onto this Node',
    [
      ...columns(pods.map(({ pod, toleration }) => [pod, `toleration ${inYaml(toleration)}`])),
      ...(pods.length === 0 ? [] : [heldByReturns]),
    ],
  );

const heldByReturns =
  'the drain is not done while one of them is on the Node: each that comes back is evicted again every 20 s';

/** `{key: node.kubernetes.io/unschedulable, operator: Exists}`. */
const inYaml = (toleration: Toleration): string =>
  `{${Object.entries(toleration)
    .map(([field, value]) => `${field}: ${String(value)}`)
    .join(', ')}}`;

export const terminating: Section = ({ namespaces = [] }, paint) =>
  headed(
    paint,
    'Namespaces that are being deleted: every eviction of their Pods is refused',
    namespaces.flatMap(({ name, reason, since, remaining }) => [
      `${printable(name)}  ${reason} since ${printable(since)}`,
      ...remaining.map((line) => `  ${printable(line)}`),
    ]),
  );

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

export const unawaited: Section = ({ unawaited: volumes = [] }, paint) =>
  headed(paint, 'Volumes that are attached and not waited for', columns(volumes.map(unawaitedRow)));

const unawaitedRow = (volume: PlannedUnawaited): string[] => [
  volume.kind,
  volume.name,
  [volumeDetails(volume), volume.why].filter((text) => text !== '').join('; '),
];
