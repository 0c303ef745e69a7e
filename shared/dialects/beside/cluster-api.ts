import type { Machine } from '../../machine/machine.ts';
import { deletedForMove } from '../../machine/move.ts';
import { excludeDrain, excludeVolumeWait } from '../capi/exclusions.ts';
import { hooks as allHooks } from '../capi/hooks.ts';
import { isRuledByOpenShift } from '../capi/pause.ts';
import type { Dialect, HookPoint } from '../dialect.ts';
import type { GatedStep } from '../gate.ts';
import { peerStage } from './cluster-api-stage.ts';
import { annotatedHook, hasHook } from './hook.ts';
import { hookOwner } from './names.ts';
import type { BesideOptions } from './options.ts';
import { isLate, registration } from './registration.ts';
import { clusterApiStatus } from './status.ts';

const exclusionOf: Record<GatedStep, string> = { drain: excludeDrain, 'volume-detach': excludeVolumeWait };

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
    phases: ['pre-drain', 'drain', 'volume-detach', 'hand-over'],
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
    // Where it is excluded from the drain it is let go at once: the API's own controller waits for its volumes.
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
  const { [excludeDrain]: _, ...annotations } = machine.annotations;
  return { ...machine, annotations };
}

/** `clusterctl move` deletes what it has copied to another cluster: the server lives on. */
const movedBy = ({ annotations }: Machine): string[] =>
  deletedForMove in annotations ? [`Machine has the ${deletedForMove} annotation`] : [];
