import type { HookPlace } from '../../machine/hook-call.ts';
import { deletedForMove, type Machine } from '../../machine/machine.ts';
import { phasesOf } from '../../machine/phase.ts';
import { hooks as allHooks, exclusionOf, isRuledByOpenShift } from '../capi/annotations.ts';
import { peerStage } from '../capi/peer-stage.ts';
import type { Dialect, HookPoint } from '../dialect.ts';
import type { Moment } from '../moment.ts';
import { annotatedHooks, hasHook, hookOwner, listOf } from './hook.ts';
import { type BesideOptions, isLate, leftOver, type Registration, registration } from './registration.ts';
import { clusterApiStatus } from './status.ts';

/**
 * Cluster API where its own controller goes on beside phaseout. Our hook holds it before its drain; phaseout drains, waits
 * for volumes, and takes the hook off. What the API's controller does around a hook is measured.
 */
export function besideClusterApi(capi: Dialect, options: BesideOptions): Dialect {
  const ours = annotatedHooks(options.installation);
  const hook = ours.PreDrain;
  const registered = (machine: Machine, place: HookPlace, isAsked: boolean): Registration =>
    isAsked ? registration(machine, options, ours[place]) : leftOver(machine, ours[place]);
  const after = [...options.hooksAfter, ...quorumHooks];
  const holds = (name: string): boolean =>
    !listOf(ours).some((each) => each.name === name) && !after.some((other) => isCalled(name, other));
  const hooks = (machine: Machine, point: HookPoint): string[] =>
    point === 'pre-drain' || hasHook(machine.raw, ours.PreTerminate)
      ? allHooks(machine, point).filter(holds)
      : [];
  return {
    ...capi,
    phases: phasesOf('capi beside'),
    hold: {
      name: `the hook ${hook.name}`,
      isOn: ({ raw }) => listOf(ours).some((each) => hasHook(raw, each)),
    },
    beside: {
      hooks: ours,
      owner: hookOwner,
      skipPeerDrain: { by: 'annotation', of: exclusionOf },
      cordonsAgain: true,
      isDelayedByWrites: true,
      register: (machine, place, isAsked) =>
        isRuledByOpenShift(machine.raw) ? { kind: 'none' } : registered(machine, place, isAsked),
      isLate: (machine, place) => !isRuledByOpenShift(machine.raw) && isLate(machine, options, ours[place]),
      isPassedOver: () => false,
      endsWithoutNode: ['delete its Cluster or control plane'],
      stage: peerStage,
      isAtPreTerminate: (machine) => peerStage(machine)?.phase === 'pre-terminate',
    },
    drain: { ...capi.drain, ownNamespace: options.ownNamespace },
    finalizersOf: () => [],
    hooks,
    hookMessage: (machine, point) =>
      `Waiting for ${point} hooks to succeed (hooks: ${hooks(machine, point).join(',')})`,
    pausedBy: (machine, surroundings) => [...capi.pausedBy(machine, surroundings), ...movedBy(machine)],
    isDrainExcluded: (machine) => !options.drainsExcluded && capi.isDrainExcluded(machine),
    // A Machine that is excluded from the drain is let go at once. The API's own controller waits for its volumes.
    isVolumeWaitExcluded: (machine) =>
      capi.isVolumeWaitExcluded(machine) || (!options.drainsExcluded && capi.isDrainExcluded(machine)),
    gate: (step, machine, input) =>
      capi.gate(
        step,
        options.drainsExcluded && step === 'drain' ? withoutExclusion(machine) : machine,
        input,
      ),
    startTimes: () => ({}),
    events: (machine, moment) => (isPeers(moment) ? [] : capi.events(machine, inItsPlace(moment))),
    worthSeeing: () => [],
    status: clusterApiStatus,
  };
}

/**
 * KubeadmControlPlane and RKE2ControlPlane take theirs off when no other pre-terminate hook is left. They would wait for
 * ours for ever.
 */
const quorumHooks = ['kcp-cleanup', 'rke2-cleanup'].map(
  (name) => `pre-terminate.delete.hook.machine.cluster.x-k8s.io/${name}`,
);

/** Its own controller drains and waits for volumes once more, and writes the same Events then. */
const isPeers = ({ what }: Moment): boolean => what === 'drained' || what === 'volumes-detached';

const inItsPlace = (moment: Moment): Moment =>
  moment.what === 'drain-not-repeated' ? { what: 'drained', isNodeGone: false } : moment;

const isCalled = (name: string, wanted: string): boolean => name === wanted || name.endsWith(`/${wanted}`);

function withoutExclusion(machine: Machine): Machine {
  const { [exclusionOf.drain]: _, ...annotations } = machine.annotations;
  return { ...machine, annotations };
}

/** `clusterctl move` deletes what it has copied to another cluster: the server lives on. */
const movedBy = ({ annotations }: Machine): string[] =>
  deletedForMove in annotations ? [`Machine has the ${deletedForMove} annotation`] : [];
