import { isDeepStrictEqual } from 'node:util';
import type { ActuatorReport, MachineErrorReason } from '../../../../shared/actuator/port.ts';
import {
  type ConditionList,
  conditionsFrom,
  type WantedCondition,
} from '../../../../shared/dialects/conditions.ts';
import { setAll, wantedHookConditions } from '../../../../shared/dialects/openshift/conditions.ts';
import { openShift } from '../../../../shared/dialects/openshift/index.ts';
import type { Instant } from '../../../../shared/time/clock.ts';
import { objectOf } from '../../kubernetes/server/json.ts';
import { toTime } from '../machinery/objects.ts';
import type { Machine } from './apis.ts';

/** What OpenShift says of a living Machine after its provider was asked; undefined when nothing is new. */
export function liveStatus(machine: Machine, report: ActuatorReport, now: Instant): object | undefined {
  const providerID = report.providerID ?? machine.spec?.providerID;
  const before = objectOf(machine.status);
  // What a dump of a real cluster says of its servers stays: the cloud here knows no better.
  const known = machine.status?.addresses ?? [];
  const addresses = known.length > 0 ? known : (report.addresses ?? []);
  const providerStatus = { ...report.providerStatus, ...objectOf(before['providerStatus']) };
  const wanted = {
    phase: phaseOf(machine, providerID !== undefined && addresses.length > 0),
    ...(addresses.length > 0 && { addresses }),
    ...(report.providerStatus && { providerStatus: { ...providerStatus, ...stateIn(report) } }),
    conditions: openShiftConditions(machine, providerID === undefined ? 'not-made' : 'there', now),
  };
  const isNew = Object.entries(wanted).some(([field, value]) => !isDeepStrictEqual(before[field], value));
  return isNew ? { ...wanted, lastUpdated: toTime(now) } : undefined;
}

const stateIn = ({ providerStatus }: ActuatorReport) =>
  providerStatus?.['instanceState'] === undefined ? {} : { instanceState: providerStatus['instanceState'] };

/** Provisioned once its server has an address, Running once that is a Node. */
function phaseOf({ status }: Machine, isMade: boolean): string {
  if (!isMade) return 'Provisioning';
  return status?.nodeRef === undefined ? 'Provisioned' : 'Running';
}

/** Why a Machine has failed. */
interface Failure {
  instance: Instance;
  reason: MachineErrorReason | undefined;
  message: string;
}

/** What it says of one that will never get anywhere; it must be deleted. */
export const failedStatus = (
  machine: Machine,
  { instance, reason, message }: Failure,
  now: Instant,
): object => ({
  phase: 'Failed',
  errorMessage: message,
  ...(reason !== undefined && { errorReason: reason }),
  conditions: openShiftConditions(machine, instance, now),
  lastUpdated: toTime(now),
});

/** What is known of a Machine's server. */
type Instance = 'there' | 'not-made' | 'lost';

const missing = (reason: string, message: string): WantedCondition => ({
  type: 'InstanceExists',
  status: 'False',
  severity: 'Warning',
  reason,
  message,
});

const instanceSayings: Record<Instance, WantedCondition> = {
  there: { type: 'InstanceExists', status: 'True' },
  'not-made': missing('InstanceNotCreated', 'Instance has not been created'),
  lost: missing('InstanceMissing', 'Instance not found on provider'),
};

/** A living Machine's conditions, sorted by type; those of its hooks tell in advance what would hold its deletion. */
const openShiftConditions = (machine: Machine, instance: Instance, now: Instant): ConditionList =>
  setAll(
    conditionsFrom(machine.status?.conditions),
    [instanceSayings[instance], ...wantedHookConditions({ machine: openShift.read(machine) })],
    { now },
  );
