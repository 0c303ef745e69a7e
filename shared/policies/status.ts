import { actionWords, type BlockedAction } from '../blocked/entry.ts';
import type { Condition, KubeObject } from '../kubernetes/objects.ts';
import { ownCondition, type Verdict } from '../machine/own-condition.ts';
import { type Instant, rfc3339Seconds } from '../time/clock.ts';
import { type Begun, type DrainPolicy, readDrainPolicy } from './drain-policy.ts';
import { isOpen, nextOpening } from './windows.ts';

/** What a sweep has seen of the Machines of a DrainPolicy. */
export interface SeenOfPolicy {
  /** How many Machines it selects; undefined where the labels of Clusters decide. */
  selected: number | undefined;
  /** UIDs of Machines that count by their own words. */
  counting: readonly string[];
  waiting: number;
  /** UIDs of Machines in its status that are proven gone. */
  gone: ReadonlySet<string>;
  /** What `PHASEOUT_ACTIONS` grants. */
  granted: ReadonlySet<BlockedAction>;
}

/** What a sweep writes to the status of a DrainPolicy. Null stands for a field that goes. */
export type PolicyStatus = {
  begun?: readonly Begun[];
  selected: number | null;
  counting: number;
  waiting: number;
  nextWindow: string | null;
  conditions: Condition[];
};

/** A Machine that has its place for so long may be stuck. */
const longMilliseconds = 3_600_000;

/** The status that the object should have. It has no time that moves: it is written when something changes. */
export function policyStatusOf(object: KubeObject, seen: SeenOfPolicy, now: Instant): PolicyStatus {
  const reading = readDrainPolicy(object);
  const policy = reading.kind === 'read' ? reading.policy : undefined;
  const opensAt = policy && nextOpening(policy.spec.windows, now);
  const begun = policy?.begun.filter(({ uid }) => !seen.gone.has(uid));
  const verdict =
    reading.kind === 'unclear'
      ? {
          status: 'False' as const,
          reason: 'Unclear',
          message: `${reading.why}: it holds the Machines that it may be for`,
        }
      : verdictOf({ ...reading.policy, begun: begun ?? [] }, now);
  return {
    ...(begun !== undefined && begun.length !== policy?.begun.length && { begun }),
    selected: seen.selected ?? null,
    counting: new Set([...seen.counting, ...(begun ?? []).map(({ uid }) => uid)]).size,
    waiting: seen.waiting,
    nextWindow: opensAt === undefined ? null : rfc3339Seconds(opensAt),
    conditions: [
      ownCondition(object, 'Ready', verdict, now),
      ...actionsOf(object, policy, seen.granted, now),
    ],
  };
}

function verdictOf({ spec, begun }: DrainPolicy, now: Instant): Verdict {
  const isNever = !isOpen(spec.windows, now) && nextOpening(spec.windows, now) === undefined;
  if (isNever)
    return { status: 'False', reason: 'NeverOpens', message: 'none of its windows opens within 366 days' };
  const long = begun.filter(({ since }) => now - Date.parse(since) > longMilliseconds);
  const stuck = long.map(({ name, since }) => `${name} has its place since ${since}`);
  return {
    status: 'True',
    reason: 'Holds',
    message: ['it holds the Machines that it selects', ...stuck].join('; '),
  };
}

/** None where the policy asks for no action. */
function actionsOf(
  object: KubeObject,
  policy: DrainPolicy | undefined,
  granted: ReadonlySet<BlockedAction>,
  now: Instant,
): Condition[] {
  const wanted = new Set(policy?.spec.blocked.map(({ action }) => action));
  if (wanted.size === 0) return [];
  const lacking = [...wanted].filter((action) => !granted.has(action)).map((action) => actionWords[action]);
  const verdict: Verdict =
    lacking.length === 0
      ? { status: 'True', reason: 'Granted', message: 'PHASEOUT_ACTIONS has all that it asks for' }
      : {
          status: 'False',
          reason: 'NotGranted',
          message: `PHASEOUT_ACTIONS does not have ${lacking.join(', ')}: deploy --actions grants it`,
        };
  return [ownCondition(object, 'ActionsGranted', verdict, now)];
}
