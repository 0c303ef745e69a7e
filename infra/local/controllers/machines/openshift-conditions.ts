import {
  type ConditionList,
  conditionsFrom,
  type WantedCondition,
} from '../../../../shared/dialects/conditions.ts';
import { setAll, wantedHookConditions } from '../../../../shared/dialects/openshift/conditions.ts';
import { openShift } from '../../../../shared/dialects/openshift/index.ts';
import type { Instant } from '../../../../shared/time/clock.ts';
import type { Machine } from './machine-objects.ts';

/** What is known of a Machine's server. */
export type Instance = 'there' | 'not-made' | 'lost';

const instanceSayings: Record<Instance, WantedCondition> = {
  there: { type: 'InstanceExists', status: 'True' },
  'not-made': {
    type: 'InstanceExists',
    status: 'False',
    severity: 'Warning',
    reason: 'InstanceNotCreated',
    message: 'Instance has not been created',
  },
  lost: {
    type: 'InstanceExists',
    status: 'False',
    severity: 'Warning',
    reason: 'InstanceMissing',
    message: 'Instance not found on provider',
  },
};

/** A living Machine's conditions, sorted by type; those of its hooks tell in advance what would hold its deletion. */
export const openShiftConditions = (machine: Machine, instance: Instance, now: Instant): ConditionList =>
  setAll(
    conditionsFrom(machine.status?.conditions),
    [instanceSayings[instance], ...wantedHookConditions(openShift.read(machine))],
    { now },
  );
