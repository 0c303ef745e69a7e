/**
 * A Kubernetes Event to be written once per fact. The reasons are those of the Machine APIs' own controllers, where
 * these have one.
 */
export interface MachineEvent {
  type: 'Normal' | 'Warning';
  reason:
    | 'FailedDrainNode'
    | 'SuccessfulDrainNode'
    | 'FailedWaitForVolumeDetach'
    | 'NodeVolumesDetached'
    | 'FailedDeleteNode'
    | 'DrainBlocked'
    | 'DrainProceeds'
    | 'DrainRequeued'
    | 'DrainSucceeded'
    | 'DrainSkipped'
    | 'Deleted'
    | 'FailedValidate'
    | 'FailedCreate'
    | 'FailedUpdate'
    | 'ReconcileError'
    | 'FailedDelete'
    | 'DeletionRefused'
    | 'DeletionLate'
    | 'CheckpointUnusable'
    | 'NodeOfAnotherServer'
    | 'NodeUnknown'
    | 'HookTakenOff'
    | 'HookLate'
    | 'DrainHeldUp'
    | 'DeletionHeld';
  message: string;
  /** The object that it is about, where that is another one than the Machine, in its namespace. */
  about?: { apiVersion: string; kind: string; name: string; uid: string };
  /** The controller in whose name it is told; `machine-controller` when absent. */
  component?: string;
}

type Saying = (reason: MachineEvent['reason'], message: string) => MachineEvent;

/** An Event of type Normal. */
export const normal: Saying = (reason, message) => ({ type: 'Normal', reason, message });
/** An Event of type Warning. */
export const warning: Saying = (reason, message) => ({ type: 'Warning', reason, message });

/** The Events of a decision, which has none at all where there is nothing to tell. */
export const withEvents = (events: MachineEvent[]): { events?: MachineEvent[] } =>
  events.length === 0 ? {} : { events };
