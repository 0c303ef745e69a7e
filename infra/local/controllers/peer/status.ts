import type { Instant } from '../../../../shared/time/clock.ts';
import { textAt } from '../../kubernetes/server/json.ts';
import { type Condition, conditionOf, toTime, withCondition } from '../machinery/objects.ts';
import type { Machine } from '../machines/apis.ts';
import { bootstrapConfig, infrastructure, type Owned, stateOf } from './owned-objects.ts';
import type { Pass, Said, Wait } from './step.ts';

/**
 * What a pass says of the Machine, as a merge patch of its status. Conditions of other types stay. What the real
 * controller says of the Node, and of deletions that last longer than 15 minutes, is left out.
 */
export function statusAfter(pass: Pass, wait: Wait): object {
  const { world, machine, times } = pass;
  const now = world.clock.now();
  const current = currentConditions(pass, wait).reduce(
    (list, each) => withCondition(list, observed(machine, each), now),
    conditionsOf(machine, 'v1beta2'),
  );
  const old = oldConditions(pass).reduce(
    (list, [type, said]) => withOldCondition(list, { type, ...said }, now),
    conditionsOf(machine, 'v1beta1'),
  );
  return {
    ...placed(machine, { v1beta2: current, v1beta1: old }),
    ...(Object.keys(times).length > 0 && { deletion: times }),
    ...(machine.status?.phase !== 'Deleting' && { phase: 'Deleting', lastUpdated: toTime(now) }),
    observedGeneration: machine.metadata.generation ?? 1,
  };
}

/** The condition that says whether it is paused; undefined if it says so already. */
export function pausedStatus(machine: Machine, why: readonly string[], now: Instant): object | undefined {
  const before = conditionsOf(machine, 'v1beta2');
  const status = why.length > 0 ? 'True' : 'False';
  const condition = {
    type: 'Paused',
    status,
    reason: status === 'True' ? 'Paused' : 'NotPaused',
    message: why.join(', '),
  };
  const known = conditionOf(before, 'Paused');
  if (known?.status === status && known.message === condition.message) return undefined;
  return placed(machine, { v1beta2: withCondition(before, observed(machine, condition), now) });
}

type Version = 'v1beta1' | 'v1beta2';

/** Each version has its own conditions in `conditions`, and the other's in a corner. */
const isOwn = ({ apiVersion }: Machine, version: Version): boolean =>
  apiVersion?.endsWith('/v1beta1') === (version === 'v1beta1');

function conditionsOf(machine: Machine, version: Version): Condition[] {
  const { status } = machine;
  if (isOwn(machine, version)) return status?.conditions ?? [];
  const corner = version === 'v1beta2' ? status?.v1beta2 : status?.deprecated?.v1beta1;
  return corner?.conditions ?? [];
}

function placed(machine: Machine, lists: Partial<Record<Version, Condition[]>>): object {
  const { v1beta1, v1beta2 } = lists;
  if (isOwn(machine, 'v1beta1'))
    return { ...(v1beta1 && { conditions: v1beta1 }), ...(v1beta2 && { v1beta2: { conditions: v1beta2 } }) };
  return {
    ...(v1beta2 && { conditions: v1beta2 }),
    ...(v1beta1 && { deprecated: { v1beta1: { conditions: v1beta1 } } }),
  };
}

const observed = ({ metadata }: Machine, condition: Condition): Condition => ({
  ...condition,
  observedGeneration: metadata.generation ?? 1,
});

function currentConditions(pass: Pass, { reason, message }: Wait): Condition[] {
  const stage = `* Deleting: Machine deletion in progress, stage: ${reason}`;
  return [
    { type: 'Available', status: 'False', reason: 'NotReady', message: '' },
    { type: 'Ready', status: 'False', reason: 'NotReady', message: stage },
    ...goneCondition(pass, bootstrapConfig),
    ...goneCondition(pass, infrastructure),
    { type: 'Deleting', status: 'True', reason, message },
  ];
}

function goneCondition({ world, machine }: Pass, owned: Owned): Condition[] {
  if (stateOf(world, machine, owned) !== 'gone') return [];
  const message = `${textAt(owned.reference(machine), 'kind')} has been deleted`;
  return [{ type: owned.ready, status: 'False', reason: 'ObjectDeleted', message }];
}

/** The first of these that is False is what the older version's Ready says. */
const summed = [
  'InfrastructureReady',
  'BootstrapReady',
  'HealthCheckSucceeded',
  'OwnerRemediated',
  'DrainingSucceeded',
];

function oldConditions({ world, machine, said }: Pass): [type: string, said: Said][] {
  if (['going', 'gone'].includes(stateOf(world, machine, infrastructure)))
    said.set('NodeHealthy', { status: 'False', reason: 'Deleting', severity: 'Info' });
  const before = conditionsOf(machine, 'v1beta1');
  const failed = summed
    .map((type) => said.get(type) ?? conditionOf(before, type))
    .find((condition) => condition?.status === 'False');
  const { reason, severity, message } = failed ?? {};
  const ready: Said =
    failed === undefined
      ? { status: 'True' }
      : {
          status: 'False',
          ...(reason && { reason }),
          ...(severity && { severity }),
          ...(message && { message }),
        };
  return [['Ready', ready], ...said];
}

/** As the older version does: the time moves with whatever the condition says. */
function withOldCondition(list: readonly Condition[], wanted: Condition, now: Instant): Condition[] {
  const known = conditionOf(list, wanted.type);
  const fields = ['status', 'reason', 'severity', 'message'] as const;
  const isSame = known !== undefined && fields.every((field) => known[field] === wanted[field]);
  const others = isSame ? list : list.filter(({ type }) => type !== wanted.type);
  return isSame ? [...others] : [...others, { ...wanted, lastTransitionTime: toTime(now) }];
}
