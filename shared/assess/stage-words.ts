import type { Dialect } from '../dialects/dialect.ts';
import type { Machine } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';
import type { Reason } from '../machine/reason.ts';

/** What a Machine in this phase waits for, where it says nothing itself. */
export function wordsFor(
  phase: Phase,
  machine: Machine,
  dialect: Dialect,
): { reason: Reason; message: string } {
  return { reason: reasonOf[phase], message: messageOf(phase, machine, dialect) };
}

/** The reason that belongs to each phase. */
export const reasonOf: Readonly<Record<Phase, Reason>> = {
  'pre-drain': 'WaitingForPreDrainHook',
  drain: 'DrainingNode',
  'volume-detach': 'WaitingForVolumeDetach',
  'hand-over': 'HandingOver',
  'pre-terminate': 'WaitingForPreTerminateHook',
  infrastructure: 'WaitingForInfrastructureDeletion',
  bootstrap: 'WaitingForBootstrapDeletion',
  node: 'DeletingNode',
  finalize: 'DeletionCompleted',
};

function messageOf(phase: Phase, machine: Machine, dialect: Dialect): string {
  switch (phase) {
    case 'pre-drain':
    case 'pre-terminate':
      return dialect.hooks(machine, phase).length > 0
        ? dialect.hookMessage(machine, phase)
        : `No ${phase} hook holds it any more`;
    case 'drain':
      return 'Draining the Node';
    case 'volume-detach':
      return 'Waiting for volumes to be detached from the Node';
    case 'hand-over':
      return "Handing over to the API's own controller";
    case 'infrastructure':
      return `Waiting for ${dialect.termination.by === 'object' ? kindOf(machine.infrastructure) : 'the instance'} to be deleted`;
    case 'bootstrap':
      return `Waiting for ${kindOf(machine.bootstrap)} to be deleted`;
    case 'node':
      return 'Deleting the Node';
    case 'finalize':
      return 'Removing the finalizer';
    default:
      return phase satisfies never;
  }
}

const kindOf = (ref: Machine['infrastructure']): string => ref?.kind ?? 'the object';
