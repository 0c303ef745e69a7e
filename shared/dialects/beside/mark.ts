import type { JsonPatchOperation } from '../../kubernetes/client.ts';
import { isDeleting, type Machine } from '../../machine/machine.ts';
import type { Instant } from '../../time/clock.ts';
import { conditionsFrom, find } from '../conditions.ts';
import { recordAt } from '../fields.ts';
import { isRuledHereToStay } from '../openshift/authority.ts';
import { setAll } from '../openshift/conditions.ts';
import { drainedType } from '../openshift/drained.ts';
import { hookList } from '../openshift/hooks.ts';
import { hasHook, type OurHook } from './hook.ts';

/**
 * Whether OpenShift's Machine controller may be told to go on: ours is the last hook before the drain, and nothing else of what
 * was read keeps that controller from the Machine.
 */
export function mayMarkDrained(machine: Machine, hook: OurHook): boolean {
  const [first, another] = hookList(machine, 'pre-drain');
  return (
    isDeleting(machine) &&
    first !== undefined &&
    another === undefined &&
    hasHook(machine.raw, hook) &&
    isRuledHereToStay(machine) &&
    find(conditionsOf(machine), 'Paused')?.status !== 'True'
  );
}

/** What says that the drain is done, in the words of OpenShift's drain controller, for the Machine as it was read. */
export function markDrained(machine: Machine, now: Instant): JsonPatchOperation[] {
  const before = conditionsOf(machine);
  const saying = { type: drainedType, status: 'True', message: 'Drain finished successfully' } as const;
  const conditions = setAll(before, [saying], { now });
  const isFirst = recordAt(machine.raw, 'status')['conditions'] === undefined;
  return [
    { op: 'test', path: '/metadata/uid', value: machine.ref.uid },
    { op: 'test', path: '/metadata/resourceVersion', value: machine.resourceVersion },
    { op: isFirst ? 'add' : 'replace', path: '/status/conditions', value: conditions },
  ];
}

const conditionsOf = ({ raw }: Machine) => conditionsFrom(recordAt(raw, 'status')['conditions']);
