import type { JsonPatchOperation } from '../../kubernetes/client.ts';
import type { HookPlace } from '../../machine/hook-call.ts';
import { isDeleting, type Machine } from '../../machine/machine.ts';
import { phasesOf } from '../../machine/phase.ts';
import { sortedByBytes } from '../../text/byte-order.ts';
import type { Instant } from '../../time/clock.ts';
import { conditionsFrom, find } from '../conditions.ts';
import type { Dialect, HookPoint } from '../dialect.ts';
import { recordAt, textAt } from '../fields.ts';
import type { Moment } from '../moment.ts';
import { setAll } from '../openshift/conditions.ts';
import { bypassedHooks, hooks as heldBy, hookList, messageOf } from '../openshift/hooks.ts';
import { drainedType, isDrained, isRuledHereToStay, saysDrained } from '../openshift/judgements.ts';
import type { PeerStage } from '../peer-stage.ts';
import { hasHook, hookOwner, listedHooks, listOf, type OurHook } from './hook.ts';
import { type BesideOptions, isLate, leftOver, type Registration, registration } from './registration.ts';
import { openShiftStatus } from './status.ts';

/**
 * OpenShift where its own two controllers go on beside phaseout. Our hook holds the drain controller; phaseout drains and takes
 * the hook off. There is no wait for volumes. A Machine that is excluded from drains passes all hooks over: it is let go.
 */
export function besideOpenShift(openShift: Dialect, options: BesideOptions): Dialect {
  const ours = listedHooks(options.installation);
  const hook = ours.PreDrain;
  const registered = (machine: Machine, place: HookPlace, isAsked: boolean): Registration =>
    isAsked ? registration(machine, options, ours[place]) : leftOver(machine, ours[place]);
  const isOurs = (name: string): boolean => name === hook.name;
  const holds = (name: string): boolean => !isOurs(name) && !options.hooksAfter.includes(name);
  const holding = (machine: Machine, point: HookPoint): string[] =>
    point === 'pre-drain' || hasHook(machine.raw, ours.PreTerminate)
      ? heldBy(machine, point).filter(holds)
      : [];
  return {
    ...openShift,
    phases: phasesOf('openshift beside'),
    hold: {
      name: `the hook ${hook.name}`,
      isOn: ({ raw }) => listOf(ours).some((each) => hasHook(raw, each)),
    },
    beside: {
      hooks: ours,
      owner: hookOwner,
      cordonsAgain: false,
      isDelayedByWrites: false,
      skipPeerDrain: {
        by: 'mark',
        canMark: (machine) => mayMarkDrained(machine, hook),
        patch: markDrained,
      },
      register: (machine, place, isAsked) =>
        !isRuledHereToStay(machine) ? { kind: 'none' } : registered(machine, place, isAsked),
      isLate: (machine, place) => isRuledHereToStay(machine) && isLate(machine, options, ours[place]),
      isPassedOver: (machine) =>
        openShift.isDrainExcluded(machine) || machine.nodeName === undefined || isDrained(machine),
      endsWithoutNode: [],
      nodeRefReturns: 'nodelink may put it back',
      stage,
      isAtPreTerminate: (machine) =>
        saysDrained(machine) && textAt(machine.raw, 'status', 'phase') === 'Deleting',
    },
    drain: { ...openShift.drain, ownNamespace: options.ownNamespace },
    // Nothing of the peer's follows what we say.
    showsProgress: true,
    finalizersOf: () => [],
    hooks: holding,
    bypassedHooks: (machine, point) => bypassedHooks(machine, point).filter((name) => !isOurs(name)),
    hookMessage: (machine, point) =>
      messageOf(
        hookList(machine, point).filter(({ name }) => holding(machine, point).includes(name)),
        point,
      ),
    events: (machine, moment) => (isSaidByPeer(moment) ? [] : openShift.events(machine, moment)),
    status: openShiftStatus,
  };
}

/** Its drain controller says itself that a hook holds it, and that it skips the drain. */
const isSaidByPeer = ({ what }: Moment): boolean => what === 'drain-held' || what === 'drain-skipped';

/** Its controllers show no stage: what holds them, and whether the drain is done, tells. */
function stage(machine: Machine): PeerStage | undefined {
  if (machine.deletionTimestamp === undefined) return undefined;
  const point: HookPoint = isDrained(machine) ? 'pre-terminate' : 'pre-drain';
  const left = hookList(machine, point);
  const names = sortedByBytes(left.map(({ name }) => name));
  if (names.length > 0) return { phase: point, message: messageOf(left, point) };
  return isDrained(machine)
    ? { phase: 'infrastructure', message: 'Drained, and no hook holds the end of its server' }
    : { phase: 'drain', message: 'No hook holds the drain' };
}

/**
 * Whether OpenShift's Machine controller may go on. Ours has to be the last hook before the drain. Nothing else that was read
 * may hold the Machine.
 */
function mayMarkDrained(machine: Machine, hook: OurHook): boolean {
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

/** Marks the drain as done, in the words of OpenShift's drain controller, for the Machine as it was read. */
function markDrained(machine: Machine, now: Instant): JsonPatchOperation[] {
  const before = conditionsOf(machine);
  const drained = { type: drainedType, status: 'True', message: 'Drain finished successfully' } as const;
  const conditions = setAll(before, [drained], { now });
  const isFirst = recordAt(machine.raw, 'status')['conditions'] === undefined;
  return [
    { op: 'test', path: '/metadata/uid', value: machine.ref.uid },
    { op: 'test', path: '/metadata/resourceVersion', value: machine.resourceVersion },
    { op: isFirst ? 'add' : 'replace', path: '/status/conditions', value: conditions },
  ];
}

const conditionsOf = ({ raw }: Machine) => conditionsFrom(recordAt(raw, 'status')['conditions']);
