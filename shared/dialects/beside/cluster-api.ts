import type { KubeObject } from '../../kubernetes/objects.ts';
import { deletedForMove, type Machine } from '../../machine/machine.ts';
import { type Phase, phasesOf, reasonsOf } from '../../machine/phase.ts';
import { hooks as allHooks, exclusionOf, isRuledByOpenShift } from '../capi/annotations.ts';
import { conditionsFrom, find } from '../conditions.ts';
import type { Dialect, HookPoint } from '../dialect.ts';
import { recordAt } from '../fields.ts';
import { annotatedHook, hasHook, hookOwner } from './hook.ts';
import { type BesideOptions, isLate, registration } from './registration.ts';
import { clusterApiStatus } from './status.ts';

/**
 * Cluster API where its own controller goes on beside phaseout. Our hook holds it before its drain; phaseout drains, waits
 * for volumes, and takes the hook off. What the API's controller does around a hook is measured.
 */
export function besideClusterApi(capi: Dialect, options: BesideOptions): Dialect {
  const hook = annotatedHook(options.installation);
  const holds = (name: string): boolean =>
    name !== hook.name && !options.hooksAfter.some((after) => isCalled(name, after));
  const hooks = (machine: Machine, point: HookPoint): string[] =>
    point === 'pre-drain' ? allHooks(machine, point).filter(holds) : [];
  return {
    ...capi,
    phases: phasesOf('capi beside'),
    hold: { name: `the hook ${hook.name}`, isOn: ({ raw }) => hasHook(raw, hook) },
    beside: {
      hook,
      owner: hookOwner,
      skipPeerDrain: { by: 'annotation', of: exclusionOf },
      register: (machine) =>
        isRuledByOpenShift(machine.raw) ? { kind: 'none' } : registration(machine, options, hook),
      isLate: (machine) => !isRuledByOpenShift(machine.raw) && isLate(machine, options, hook),
      isPassedOver: () => false,
      endsWithoutNode: ['delete its Cluster or control plane'],
      stage: ({ raw }) => peerStage(raw),
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
    worthSeeing: () => [],
    status: clusterApiStatus,
  };
}

const isCalled = (name: string, wanted: string): boolean => name === wanted || name.endsWith(`/${wanted}`);

function withoutExclusion(machine: Machine): Machine {
  const { [exclusionOf.drain]: _, ...annotations } = machine.annotations;
  return { ...machine, annotations };
}

/** `clusterctl move` deletes what it has copied to another cluster: the server lives on. */
const movedBy = ({ annotations }: Machine): string[] =>
  deletedForMove in annotations ? [`Machine has the ${deletedForMove} annotation`] : [];

/** Where a Machine of Cluster API shows its own controller to be; undefined where it shows nothing that is known. */
export function peerStage({ status }: KubeObject): { phase: Phase; message: string } | undefined {
  const lists = [recordAt(status), recordAt(status, 'v1beta2')].map(({ conditions }) =>
    conditionsFrom(conditions),
  );
  const shown = lists.flatMap((list) => find(list, 'Deleting') ?? []).find((each) => each.status === 'True');
  const phase = phasesOf('capi').find((each) => reasonsOf(each)[0] === shown?.reason);
  return phase === undefined ? undefined : { phase, message: shown?.message ?? '' };
}
