import type { Instant } from '../../../../shared/time/clock.ts';
import { type Condition, conditionOf, toTime, type Workload } from '../machinery/objects.ts';
import { wantedOf } from './rollout.ts';

/** `lastUpdateTime` moves with every progress, `lastTransitionTime` only with the status. */
type Progress = Condition & { lastUpdateTime?: string };

/** The ReplicaSets of a Deployment; the newest has its template. */
export interface Rollout {
  newest: Workload | undefined;
  owned: readonly Workload[];
  /** The newest was made at this look. */
  isNew: boolean;
  now: Instant;
}

interface Counts {
  observedGeneration: number;
  replicas: number;
  updatedReplicas: number;
  readyReplicas: number;
  availableReplicas: number;
  unavailableReplicas: number;
}

/** The status of a Deployment, as the real controller writes it. */
export function statusOf(deployment: Workload, rollout: Rollout): Record<string, unknown> {
  const counts = countsOf(deployment, rollout);
  const conditions = [availableIn(deployment, counts), progressIn(deployment, counts, rollout)];
  return {
    ...counts,
    conditions: conditions
      .flatMap((wanted) => wanted ?? [])
      .map((wanted) => since(deployment, wanted, rollout)),
  };
}

function countsOf({ metadata }: Workload, { newest, owned }: Rollout): Counts {
  const sum = (field: string): number =>
    owned.reduce((total, set) => total + Number(set.status?.[field] ?? 0), 0);
  const replicas = sum('replicas');
  const availableReplicas = sum('availableReplicas');
  return {
    observedGeneration: metadata.generation ?? 1,
    replicas,
    updatedReplicas: Number(newest?.status?.['replicas'] ?? 0),
    readyReplicas: sum('readyReplicas'),
    availableReplicas,
    unavailableReplicas: Math.max(0, Math.max(replicas, 0) - availableReplicas),
  };
}

function availableIn(deployment: Workload, { availableReplicas }: Counts): Progress {
  const { replicas, maxUnavailable } = wantedOf(deployment);
  return availableReplicas >= replicas - maxUnavailable
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
}

const defaultDeadlineSeconds = 600;

/** How long a rollout may show no progress. */
const deadlineMilliseconds = ({ spec }: Workload): number =>
  (spec?.progressDeadlineSeconds ?? defaultDeadlineSeconds) * 1_000;

/** When a rollout that shows no progress counts as timed out; undefined where none is under way. */
export function progressDeadline(deployment: Workload): Instant | undefined {
  const progress = progressOf(deployment);
  if (progress?.status !== 'True' || progress.reason === available) return undefined;
  return Date.parse(progress.lastUpdateTime ?? '') + deadlineMilliseconds(deployment);
}

const progressOf = ({ status }: Workload): Progress | undefined =>
  conditionOf(status?.conditions, 'Progressing');

const available = 'NewReplicaSetAvailable';
const timedOut = 'ProgressDeadlineExceeded';

function progressIn(
  deployment: Workload,
  counts: Counts,
  { newest, isNew, now }: Rollout,
): Progress | undefined {
  const before = progressOf(deployment);
  if (deployment.spec?.paused) return progress('Unknown', 'DeploymentPaused', 'Deployment is paused');
  if (isNew) return progress('True', 'NewReplicaSetCreated', `Created new replica set "${nameOf(newest)}"`);
  if (before === undefined)
    return progress('True', 'FoundNewReplicaSet', `Found new replica set "${nameOf(newest)}"`);
  if (counts.replicas === counts.updatedReplicas && before.reason === available) return before;
  if (isComplete(deployment, counts))
    return progress('True', available, `ReplicaSet "${nameOf(newest)}" has successfully progressed.`);
  if (hasProgressed(deployment, counts) || before.reason === 'DeploymentPaused')
    return progress('True', 'ReplicaSetUpdated', `ReplicaSet "${nameOf(newest)}" is progressing.`);
  const isOver = now > (progressDeadline(deployment) ?? Number.POSITIVE_INFINITY);
  return isOver
    ? progress('False', timedOut, `ReplicaSet "${nameOf(newest)}" has timed out progressing.`)
    : before;

  function progress(status: string, reason: string, message: string): Progress {
    const isSame = before?.reason === reason && reason !== 'ReplicaSetUpdated';
    const lastUpdateTime = isSame ? before.lastUpdateTime : toTime(now);
    return {
      type: 'Progressing',
      status,
      reason,
      message,
      ...(lastUpdateTime !== undefined && { lastUpdateTime }),
    };
  }
}

const nameOf = (set: Workload | undefined): string => set?.metadata.name ?? '';

const isComplete = ({ spec }: Workload, { replicas, updatedReplicas, availableReplicas }: Counts): boolean =>
  [replicas, updatedReplicas, availableReplicas].every((count) => count === (spec?.replicas ?? 1));

function hasProgressed({ status = {} }: Workload, counts: Counts): boolean {
  const old = (field: keyof Counts): number => Number(status[field] ?? 0);
  return (
    counts.updatedReplicas > old('updatedReplicas') ||
    counts.replicas - counts.updatedReplicas < old('replicas') - old('updatedReplicas') ||
    counts.readyReplicas > old('readyReplicas') ||
    counts.availableReplicas > old('availableReplicas')
  );
}

function since({ status }: Workload, wanted: Progress, { now }: Rollout): Progress {
  const before: Progress | undefined = conditionOf(status?.conditions, wanted.type);
  const lastTransitionTime = before?.status === wanted.status ? before.lastTransitionTime : toTime(now);
  const lastUpdateTime =
    wanted.lastUpdateTime ??
    (before?.reason === wanted.reason ? before?.lastUpdateTime : undefined) ??
    toTime(now);
  return { ...wanted, lastUpdateTime, lastTransitionTime: lastTransitionTime ?? toTime(now) };
}
