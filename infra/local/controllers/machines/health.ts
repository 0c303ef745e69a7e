import type { Instant } from '../../../../shared/time/clock.ts';
import { parseGoDuration } from '../../../../shared/time/duration.ts';
import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import {
  type Condition,
  conditionOf,
  isTerminating,
  type LabelSelector,
  type Node,
} from '../machinery/objects.ts';
import type { Machine } from './apis.ts';

export interface HealthCheck extends KubeObject {
  spec?: {
    selector?: LabelSelector;
    unhealthyConditions?: { type: string; status: string; timeout: string }[];
    maxUnhealthy?: number | string;
    nodeStartupTimeout?: string;
    remediationTemplate?: unknown;
  };
  status?: { conditions?: Condition[] };
}

/** A Machine and its Node; `missing` when it has been told of one that does not exist (any more). */
export interface Target {
  machine: Machine;
  node: Node | 'missing' | undefined;
}

export type Health =
  | { kind: 'healthy' }
  /** Neither healthy nor beyond its time; `at`: when it will be, unless it gets better. */
  | { kind: 'suspect'; at: Instant }
  | { kind: 'unhealthy' }
  /** In deletion, or not started with no limit on its start: does not count, but is not healthy. */
  | { kind: 'absent' };

const second = 1000;

/** A Go duration in milliseconds; what is none never ends. */
function milliseconds(duration: string): number {
  const nanoseconds = parseGoDuration(duration);
  return nanoseconds === undefined ? Number.POSITIVE_INFINITY : Number(nanoseconds / 1_000_000n);
}

/** What OpenShift's check concludes of one Machine. Times in objects are whole seconds, so it looks a second later. */
export function healthOf({ machine, node }: Target, { spec }: HealthCheck, now: Instant): Health {
  if (machine.status?.phase === 'Failed' || node === 'missing') return { kind: 'unhealthy' };
  if (node === undefined) return startHealth(machine, milliseconds(spec?.nodeStartupTimeout ?? '10m'), now);
  const times = (spec?.unhealthyConditions ?? []).flatMap(({ type, status, timeout }) => {
    const condition = conditionOf(node.status?.conditions, type);
    if (condition?.status !== status) return [];
    return [Date.parse(condition.lastTransitionTime ?? '') + milliseconds(timeout)];
  });
  if (times.some((time) => time < now)) return { kind: 'unhealthy' };
  if (times.length > 0) return { kind: 'suspect', at: Math.min(...times) + second };
  return { kind: isTerminating(machine) ? 'absent' : 'healthy' };
}

/** Of a Machine that has no Node yet. A timeout of 0 means that it may take any time. */
function startHealth({ status }: Machine, timeout: number, now: Instant): Health {
  if (timeout === 0) return { kind: 'absent' };
  const since = Date.parse(status?.lastUpdated ?? '');
  if (Number.isNaN(since)) return { kind: 'suspect', at: now + timeout };
  return since + timeout < now ? { kind: 'unhealthy' } : { kind: 'suspect', at: since + timeout + second };
}

/** How many may be unhealthy: a number, or a percentage of all, rounded down. */
export function unhealthyLimit({ spec }: HealthCheck, total: number): number {
  const limit = String(spec?.maxUnhealthy ?? '100%');
  const number = Number.parseInt(limit, 10);
  const most = limit.endsWith('%') ? Math.floor((number * total) / 100) : number;
  // Nothing is remediated by a check that cannot be read.
  return Number.isNaN(most) ? -1 : Math.max(0, most);
}
