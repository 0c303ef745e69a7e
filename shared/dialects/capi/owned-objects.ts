import type { Condition, KubeObject } from '../../kubernetes/objects.ts';
import { isPast } from '../../machine/checkpoint.ts';
import type { ObjectRef } from '../../machine/machine.ts';
import { type ConditionList, conditionsFrom, find, type WantedCondition } from '../conditions.ts';
import { recordAt, textAt } from '../fields.ts';
import type { Observed } from '../gate.ts';
import type { StatusInput } from '../status-input.ts';

/** An object the Machine refers to, and what its conditions are called on the Machine. */
interface Referred {
  phase: 'infrastructure' | 'bootstrap';
  v1Beta2Type: string;
  v1Beta1Type: string;
  /** Below `status.initialization`, on the object itself. */
  doneField: string;
}

export const infrastructure: Referred = {
  phase: 'infrastructure',
  v1Beta2Type: 'InfrastructureReady',
  v1Beta1Type: 'InfrastructureReady',
  doneField: 'provisioned',
};

export const bootstrapConfig: Referred = {
  phase: 'bootstrap',
  v1Beta2Type: 'BootstrapConfigReady',
  v1Beta1Type: 'BootstrapReady',
  doneField: 'dataSecretCreated',
};

const refOf = ({ phase }: Referred, { machine }: StatusInput): ObjectRef | undefined => machine[phase];

/** Its phase is passed only when it was seen to be gone: a later look need not see that again. */
export function sightingOf({ phase }: Referred, input: StatusInput): Observed {
  const sighting = input[phase];
  if (sighting.kind === 'present' || !isPast(input.checkpoint, phase)) return sighting;
  return { kind: 'absent' };
}

/** What v1beta2 says of the object; undefined when this look did not see it. */
export function v1Beta2Saying(referred: Referred, input: StatusInput): WantedCondition | undefined {
  const type = referred.v1Beta2Type;
  const ref = refOf(referred, input);
  if (ref === undefined) return withoutRef(referred);
  const sighting = sightingOf(referred, input);
  if (sighting.kind === 'unseen') return undefined;
  if (sighting.kind === 'unknown') {
    return {
      type,
      status: 'Unknown',
      reason: 'InternalError',
      message: 'Please check controller logs for errors',
    };
  }
  const done = wasDone(referred, input);
  if (sighting.kind === 'absent') return { type, status: 'False', ...absence(ref, done) };
  return mirrored(referred, sighting.object) ?? fallback(referred, ref, done);
}

/** Only a bootstrap config may be missing: the data are then given to the Machine directly. */
const withoutRef = ({ phase, v1Beta2Type: type }: Referred): WantedCondition | undefined =>
  phase === 'bootstrap' ? { type, status: 'True', reason: 'DataSecretProvided' } : undefined;

const absence = ({ kind }: ObjectRef, existed: boolean): { reason: string; message: string } =>
  existed
    ? { reason: 'ObjectDeleted', message: `${kind} has been deleted` }
    : { reason: 'ObjectDoesNotExist', message: `${kind} does not exist` };

/** Whether the Machine's status, of either version, says that the object had done its part. */
function wasDone({ phase }: Referred, { machine }: StatusInput): boolean {
  const status = recordAt(machine.raw, 'status');
  const initialization = recordAt(status, 'initialization');
  return phase === 'infrastructure'
    ? initialization['infrastructureProvisioned'] === true || status['infrastructureReady'] === true
    : initialization['bootstrapDataSecretCreated'] === true || status['bootstrapReady'] === true;
}

function mirrored({ v1Beta2Type: type }: Referred, object: KubeObject): WantedCondition | undefined {
  const ready = find(conditionsOf(object, 'v1beta2'), 'Ready');
  if (ready === undefined) return undefined;
  const { status, message = '', lastTransitionTime } = ready;
  if (!statuses.includes(status)) {
    const complaint = `status for the Ready condition must be one of ${statuses.join(', ')}`;
    return { type, status: 'Unknown', reason: 'InvalidConditionReported', message: complaint };
  }
  const reason = validReason(ready) ?? (status === 'True' ? 'Ready' : 'NoReasonReported');
  return { type, status, reason, message, ...(lastTransitionTime ? { lastTransitionTime } : {}) };
}

const statuses = ['True', 'False', 'Unknown'];

/**
 * Providers with old conditions write reasons such as `Stopping @ Server/m-1`, for which the API server would
 * refuse the Machine's whole status.
 */
const validReason = ({ reason = '' }: Condition): string | undefined =>
  /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?/.exec(reason)?.[0];

const fallback = (
  { v1Beta2Type: type, doneField }: Referred,
  { kind }: ObjectRef,
  done: boolean,
): WantedCondition =>
  done
    ? { type, status: 'True', reason: 'Ready' }
    : {
        type,
        status: 'False',
        reason: 'NotReady',
        message: `${kind} status.initialization.${doneField} is false`,
      };

/**
 * What v1beta1 says of the object; undefined when it has nothing to say. That it is gone is said only from its own
 * phase on.
 */
export function v1Beta1Saying(referred: Referred, input: StatusInput): WantedCondition | undefined {
  const type = referred.v1Beta1Type;
  if (refOf(referred, input) === undefined) return undefined;
  const sighting = sightingOf(referred, input);
  if (sighting.kind === 'present') {
    // Once the Machine has its bootstrap data their config does not matter any more.
    const hasData = referred.phase === 'bootstrap' && textAt(input.machine.raw, ...dataSecret) !== undefined;
    return hasData ? { type, status: 'True' } : v1Beta1Mirror(referred, sighting.object);
  }
  const isReached = input.checkpoint.phase === referred.phase || isPast(input.checkpoint, referred.phase);
  if (sighting.kind !== 'absent' || !isReached) return undefined;
  return { type, status: 'False', reason: 'Deleted', severity: 'Info' };
}

const dataSecret = ['spec', 'bootstrap', 'dataSecretName'];

/** That a Machine is being deleted excuses an object that has not come so far. */
function v1Beta1Mirror({ v1Beta1Type: type, doneField }: Referred, object: KubeObject): WantedCondition {
  const ready = find(conditionsOf(object, 'v1beta1'), 'Ready');
  if (ready !== undefined) return { ...ready, type };
  const status = recordAt(object, 'status');
  if (recordAt(status, 'initialization')[doneField] === true || status['ready'] === true) {
    return { type, status: 'True' };
  }
  return { type, status: 'False', reason: 'Deleting', severity: 'Info' };
}

/** Providers keep the two kinds of conditions where their own API version has them. */
function conditionsOf(object: KubeObject, kind: 'v1beta1' | 'v1beta2'): ConditionList {
  const status = recordAt(object, 'status');
  const apart = kind === 'v1beta2' ? recordAt(status, 'v1beta2') : recordAt(status, 'deprecated', 'v1beta1');
  return conditionsFrom(apart['conditions'] ?? status['conditions']);
}
