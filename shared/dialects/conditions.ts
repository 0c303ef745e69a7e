import type { Condition } from '../kubernetes/objects.ts';
import { compareBytes } from '../text/byte-order.ts';
import { lastingText } from '../text/stable-text.ts';
import { type Instant, rfc3339Seconds } from '../time/clock.ts';
import { recordAt } from './fields.ts';

/** Conditions as they stand on an object: fields this code does not know travel along. */
export type ConditionList = readonly Readonly<Condition>[];

/** What a condition should say; its times are the list's business. */
export type WantedCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message' | 'severity'> & {
  /** Of the condition it is copied from: taken over when the status changes. */
  lastTransitionTime?: string;
  /** The message is an error's: the one that stands stays where this differs in what differs at each attempt. */
  isError?: boolean;
};

/** Reads a list that may be absent; what is no condition is dropped. */
export const conditionsFrom = (value: unknown): ConditionList =>
  Array.isArray(value) ? value.filter(isCondition) : [];

const isCondition = (value: unknown): value is Condition =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** The conditions of a status, and those of the form v1beta2 that stand apart from them in v1beta1. */
export const conditionsIn = (status: unknown): ConditionList =>
  [recordAt(status), recordAt(status, 'v1beta2')].flatMap(({ conditions }) => conditionsFrom(conditions));

/** The condition of this type; undefined where there is none. */
export const find = (list: ConditionList, type: string): Condition | undefined =>
  list.find((condition) => condition.type === type);

const put = (list: ConditionList, condition: Condition): ConditionList => [
  ...list.filter(({ type }) => type !== condition.type),
  condition,
];

/** v1beta2: reason and message are always there, and lastTransitionTime moves only when the status changes. */
export function setV1Beta2(
  list: ConditionList,
  wanted: WantedCondition,
  at: { generation: number; now: Instant },
): ConditionList {
  const before = find(list, wanted.type);
  const changed = wanted.lastTransitionTime ?? rfc3339Seconds(at.now);
  const lastTransitionTime = before?.status === wanted.status ? before.lastTransitionTime : undefined;
  const { type, status, reason = '' } = wanted;
  const next = { type, status, reason, message: limited(wanted.message ?? '', 32_768) };
  const isSaid = before !== undefined && isSame(before, next, wanted);
  return put(list, {
    ...next,
    message: isSaid ? (before.message ?? '') : next.message,
    lastTransitionTime: lastTransitionTime ?? changed,
    observedGeneration: at.generation,
  });
}

/** v1beta1: empty fields are left out, and lastTransitionTime moves when anything changes. */
export function setV1Beta1(list: ConditionList, wanted: WantedCondition, now: Instant): ConditionList {
  const { type, status, reason, severity, message } = wanted;
  const next: Condition = {
    type,
    status,
    ...(reason ? { reason } : {}),
    ...(severity ? { severity } : {}),
    ...(message ? { message: limited(message, 10_240) } : {}),
  };
  const before = find(list, type);
  if (before !== undefined && isSame(before, next, wanted)) return list;
  // A condition that is new keeps the time of the one it is copied from.
  const first = before === undefined ? wanted.lastTransitionTime : undefined;
  return put(list, { ...next, lastTransitionTime: first ?? rfc3339Seconds(now) });
}

function isSame(a: Condition, b: Condition, { isError = false }: WantedCondition): boolean {
  const text = ({ message = '' }: Condition): string => (isError ? lastingText(message) : message);
  return (
    a.status === b.status &&
    (a.reason ?? '') === (b.reason ?? '') &&
    (a.severity ?? '') === (b.severity ?? '') &&
    text(a) === text(b)
  );
}

/** The API server refuses longer messages; it counts code points, and half a character is none. */
function limited(message: string, maxCharacters: number): string {
  if (message.length <= maxCharacters) return message;
  const characters = Array.from(message);
  if (characters.length <= maxCharacters) return message;
  return `${characters.slice(0, maxCharacters - 3).join('')}...`;
}

/** Ready first, then by name. */
export const sortedV1Beta1 = (list: ConditionList): ConditionList =>
  list.toSorted((a, b) => rankV1Beta1(a) - rankV1Beta1(b) || byType(a, b));

const rankV1Beta1 = ({ type }: Condition): number => (type === 'Ready' ? 0 : 1);

const byType = (a: Condition, b: Condition): number => compareBytes(a.type, b.type);

/** The order in which Cluster API keeps a Machine's conditions; those of others come before the last two. */
const first = [
  'Available',
  'Ready',
  'UpToDate',
  'BootstrapConfigReady',
  'InfrastructureReady',
  'NodeHealthy',
  'NodeReady',
  'NodeKubeadmLabelsAndTaintsSet',
  'EtcdPodHealthy',
  'EtcdMemberHealthy',
  'APIServerPodHealthy',
  'ControllerManagerPodHealthy',
  'SchedulerPodHealthy',
  'HealthCheckSucceeded',
  'OwnerRemediated',
  'Updating',
];
const last = ['Paused', 'Deleting'];

export const sortedV1Beta2 = (list: ConditionList): ConditionList =>
  list.toSorted((a, b) => rankV1Beta2(a) - rankV1Beta2(b) || byType(a, b));

function rankV1Beta2({ type }: Condition): number {
  if (first.includes(type)) return first.indexOf(type);
  return first.length + 1 + last.indexOf(type);
}
