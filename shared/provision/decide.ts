import type { ActuatorAnswer, ActuatorRefusal, ActuatorReport, Existence } from '../actuator/port.ts';
import type { KubeObject, OwnerReference } from '../kubernetes/objects.ts';
import type { Machine } from '../machine/machine.ts';
import { type MachineEvent, warning } from '../machine/report.ts';

/** What was tried for a living Machine: to find its server, to make one, or to keep it in step. */
export type Attempt = 'look' | 'create' | 'update';

/** What the provider has said of a living Machine's server so far. */
export interface LivingSeen {
  existence: Existence;
  /** To the create or update that followed; undefined before it. */
  answer: ActuatorAnswer | undefined;
}

/** To be tried again after so many seconds. `failures`: how often in a row it has failed by then. */
export interface Again {
  kind: 'again';
  afterSeconds: number;
  failures: number;
  /** Absent where nothing failed: the provider has only asked for time. */
  fact?: MachineEvent;
}

export type LivingDecision =
  | { kind: 'create' }
  | { kind: 'update' }
  /** `requeueAfterSeconds`: when there may be more to report; absent where the provider does not say. */
  | { kind: 'done'; report: ActuatorReport; requeueAfterSeconds?: number }
  | Again;

const firstRetrySeconds = 5;
const lastRetrySeconds = 300;
/** A server that was just made has often no addresses yet: they come with an update. */
const firstLookSeconds = 5;

/** A Machine with a server is updated, one without gets one. `failures`: how often in a row this has failed before. */
export function decideLiving({ existence, answer }: LivingSeen, failures: number): LivingDecision {
  if (existence.kind !== 'exists' && existence.kind !== 'absent') {
    return unfinished('look', existence, failures);
  }
  const kind = existence.kind === 'exists' ? 'update' : 'create';
  if (answer === undefined) return { kind };
  if (answer.kind !== 'done') return unfinished(kind, answer, failures);
  const seconds = existence.kind === 'exists' ? existence.retryAfterSeconds : firstLookSeconds;
  return seconds === undefined ? answer : { ...answer, requeueAfterSeconds: Math.max(1, seconds) };
}

function unfinished(attempt: Attempt, refusal: ActuatorRefusal, failures: number): Again {
  if (refusal.kind === 'retry') {
    return { kind: 'again', afterSeconds: Math.max(1, refusal.afterSeconds), failures: 0 };
  }
  const { reason, message } = refusal;
  return failed(attempt, reason === undefined ? message : `${reason}: ${message}`, failures);
}

/** What failed is tried again, ever more slowly, and told. */
export function failed(attempt: Attempt, why: string, failures: number, minSeconds = 0): Again {
  const grown = Math.min(lastRetrySeconds, firstRetrySeconds * 2 ** failures);
  const { reason, deed } = eventOf[attempt];
  const fact = warning(reason, `error ${deed}: ${why}`);
  return { kind: 'again', afterSeconds: Math.max(grown, minSeconds), failures: failures + 1, fact };
}

const eventOf: Record<Attempt, { reason: MachineEvent['reason']; deed: string }> = {
  look: { reason: 'ReconcileError', deed: 'reconciling Machine' },
  create: { reason: 'FailedCreate', deed: "creating Machine's instance" },
  update: { reason: 'FailedUpdate', deed: "updating Machine's instance" },
};

/** The finalizers of a living Machine with those that it lacks at their end; undefined when it lacks none. */
export function completedFinalizers(
  { finalizers }: Machine,
  wanted: readonly string[],
): string[] | undefined {
  const missing = wanted.filter((finalizer) => !finalizers.includes(finalizer));
  return missing.length === 0 ? undefined : [...finalizers, ...missing];
}

const owningKinds: readonly string[] = ['MachineSet', 'MachineDeployment', 'Cluster'];

/**
 * The Machine's owners with the Cluster at their end. Undefined where the Cluster, or a set of the Machine's own API, owns it
 * already.
 */
export function completedOwners(
  { ref: { apiVersion }, raw }: Machine,
  { metadata }: KubeObject,
): OwnerReference[] | undefined {
  const owners = raw.metadata.ownerReferences ?? [];
  const isOwned = owners.some((owner) => owner.apiVersion === apiVersion && owningKinds.includes(owner.kind));
  if (isOwned) return undefined;
  const { name, uid = '' } = metadata;
  return [...owners, { apiVersion, kind: 'Cluster', name, uid, blockOwnerDeletion: true }];
}
