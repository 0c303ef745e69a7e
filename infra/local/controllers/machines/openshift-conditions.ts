import type { Instant } from '../../../../shared/clock.ts';
import {
  type ConditionList,
  conditionsFrom,
  type Saying,
  sayV1Beta1,
} from '../../../../shared/dialects/condition-list.ts';
import type { Hook, Machine } from '../objects.ts';

/** What is known of a Machine's server. */
export type Instance = 'there' | 'not-made' | 'lost';

const instanceSayings: Record<Instance, Saying> = {
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
export function openShiftConditions(machine: Machine, instance: Instance, now: Instant): ConditionList {
  const { preDrain = [], preTerminate = [] } = machine.spec?.lifecycleHooks ?? {};
  return [
    instanceSayings[instance],
    hookSaying('Drainable', 'Drain', preDrain),
    hookSaying('Terminable', 'Terminate', preTerminate),
  ]
    .reduce<ConditionList>(
      (list, saying) => sayV1Beta1(list, saying, now),
      conditionsFrom(machine.status?.conditions),
    )
    .toSorted((one, other) => (one.type < other.type ? -1 : 1));
}

function hookSaying(type: string, operation: string, hooks: readonly Hook[]): Saying {
  if (hooks.length === 0) return { type, status: 'True' };
  const each = hooks.map(({ name, owner }) => `{Name:${name} Owner:${owner}}`).join(' ');
  const message = `${operation} operation currently blocked by: [${each}]`;
  return { type, status: 'False', severity: 'Warning', reason: 'HookPresent', message };
}
