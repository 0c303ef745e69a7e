import type { Condition } from '../../kubernetes/objects.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Instant } from '../../time/clock.ts';
import { type ConditionList, find, type WantedCondition } from '../conditions.ts';
import { recordAt } from '../fields.ts';

/** A condition that counts for Ready. Negative ones are good when False. */
interface Part {
  type: string;
  negative: boolean;
  /** Does not count when the condition is missing. */
  optional: boolean;
}

const parts: readonly Part[] = [
  { type: 'Updating', negative: true, optional: true },
  { type: 'BootstrapConfigReady', negative: false, optional: false },
  { type: 'InfrastructureReady', negative: false, optional: false },
  { type: 'NodeHealthy', negative: false, optional: false },
  { type: 'HealthCheckSucceeded', negative: false, optional: true },
];

/** While a Machine is being deleted it is as it should be that these are gone. */
const expectedReasons = ['ObjectDeleted', 'ObjectDoesNotExist', 'NodeDeleted', 'NodeDoesNotExist'];
const expectedTypes = ['BootstrapConfigReady', 'InfrastructureReady', 'NodeHealthy'];

/** Ready of a Machine that is being deleted is never True. Each thing that is wrong has one line. */
export function wantedReady(machine: Machine, list: ConditionList, stage: string): WantedCondition {
  const seen = [...parts, ...readinessGates(machine)].flatMap((part) => lineOf(part, list));
  const lines = [`* Deleting: ${stage}`, ...seen];
  return { type: 'Ready', status: 'False', reason: 'NotReady', message: grouped(lines).join('\n') };
}

/** Empty for what is as it should be. What is unknown stands in its place among what is wrong. */
function lineOf({ type, negative, optional }: Part, list: ConditionList): string[] {
  const condition = find(list, type);
  if (condition === undefined) return optional ? [] : [`* ${type}: Condition not yet reported`];
  if (condition.status === (negative ? 'False' : 'True') || isExpected(condition)) return [];
  const { message, reason = '' } = condition;
  return [`* ${type}:${message ? indented(message) : ` ${reason}`}`];
}

const isExpected = ({ type, reason }: Condition): boolean =>
  expectedTypes.includes(type) && expectedReasons.includes(reason ?? '');

/** A list is put below the condition's name, and several lines that are none become one. */
function indented(message: string): string {
  const lines = message.split('\n');
  if (lines.length === 1 && !isListed(message)) return ` ${message}`;
  const margin = lines.every(isListed) ? '' : '  ';
  return lines.map((line) => `\n  ${isListed(line) ? margin : '* '}${line}`).join('');
}

/** A star before a blank makes a line an entry of a list, wherever in the line it is. */
const isListed = (line: string): boolean => /\*[\t\f\r ]/.test(line);

function readinessGates(machine: Machine): Part[] {
  const gates = recordAt(machine.raw, 'spec')['readinessGates'];
  if (!Array.isArray(gates)) return [];
  return gates.flatMap((gate: unknown) => {
    const { conditionType, polarity } = recordAt(gate);
    if (typeof conditionType !== 'string') return [];
    return [{ type: conditionType, negative: polarity === 'Negative', optional: false }];
  });
}

const isControlPlaneLine = (line: string): boolean =>
  /^\* (?:(?:APIServer|ControllerManager|Scheduler)[^:]*|EtcdPodHealthy):/.test(line);

const afterColon = (line: string): string => line.slice(line.indexOf(':') + 1);

/** Control plane components that all say the same say it once. */
function grouped(lines: string[]): string[] {
  const components = lines.filter(isControlPlaneLine);
  const [first = ''] = components;
  if (components.length < 2 || new Set(components.map(afterColon)).size > 1) return lines;
  return lines.flatMap((line) => {
    if (!components.includes(line)) return [line];
    return line === first ? [`* Control plane components:${afterColon(first)}`] : [];
  });
}

const staleMilliseconds = 15 * 60_000;
const slowDrainMilliseconds = 5 * 60_000;

/** What makes a drain slow, told by the sentences its message contains. */
const delays: readonly [cause: string, sentence: string][] = [
  ['PodDisruptionBudgets', "cannot evict pod as it would violate the pod's disruption budget."],
  ['Pods not terminating', 'deletionTimestamp set, but still not removed from the Node'],
  ['Pod eviction errors', 'failed to evict Pod'],
  ['Pods not completed yet', 'waiting for completion'],
];

interface StageInput {
  deleting: Condition | undefined;
  deletedAt: Instant | undefined;
  drainStartedAt: Instant | undefined;
  /** What Ready says so far. */
  said: string | undefined;
  now: Instant;
}

const inProgress = 'Machine deletion in progress';
const inProgressForLong = `${inProgress} since more than 15m`;
const delayed = 'delay likely due to';

/**
 * The Deleting part of Ready. It names no durations and no Pods, so that owners can put together what many Machines say. That
 * it lasts long is never taken back. An instance with a wrong clock would write the opposite, and each write is news.
 */
export function deletionStage({ deleting, deletedAt, drainStartedAt, said, now }: StageInput): string {
  if (deleting === undefined) return inProgress;
  const stage = `stage: ${deleting.reason}`;
  if (said?.includes(inProgressForLong) !== true && !hasLasted(staleMilliseconds, deletedAt, now))
    return `${inProgress}, ${stage}`;
  const stale = `${inProgressForLong}, ${stage}`;
  const isSlow =
    said?.includes(`${stale}, ${delayed}`) === true || hasLasted(slowDrainMilliseconds, drainStartedAt, now);
  if (deleting.reason !== 'DrainingNode' || !isSlow) return stale;
  const causes = delaysIn(deleting.message ?? '');
  return causes.length === 0 ? stale : `${stale}, ${delayed} ${causes.join(', ')}`;
}

const delaysIn = (message: string): string[] =>
  delays.filter(([, sentence]) => message.includes(sentence)).map(([cause]) => cause);

const hasLasted = (milliseconds: number, since: Instant | undefined, now: Instant): boolean =>
  since !== undefined && now - since > milliseconds;

export function drainStart(deletion: unknown): Instant | undefined {
  const time = recordAt(deletion)['nodeDrainStartTime'];
  return typeof time === 'string' ? Date.parse(time) : undefined;
}
