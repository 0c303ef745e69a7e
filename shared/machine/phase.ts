/** Whose deletions have a phase: a Machine API in its controller's place, or beside that controller. */
export type Chain = 'capi' | 'openshift' | 'v1alpha1' | 'capi beside' | 'openshift beside';

/** All that is known of a phase but what it observes and decides, which `functions/<phase>.ts` has. */
interface PhaseRecord {
  of: readonly Chain[];
  /** What it shows: the first one while it waits. Users' alerts read these, so they never change. */
  reasons: readonly [string, ...string[]];
  /** What a Machine in it waits for, where its status says nothing. KIND stands for the kind of `object`. */
  waits: string;
  /** The object of the Machine that it deletes. */
  object?: 'infrastructure' | 'bootstrap';
  /** It touches the Node, and does not apply where that is not allowed. */
  onNode?: true;
  /** It waits for these hooks, and is done where there is none. */
  hooks?: 'pre-drain' | 'pre-terminate';
  /** A Machine can be excluded from it. */
  excludable?: 'drain' | 'volume-detach';
  /** A Machine may have no such object. Then the phase is done. */
  isOptional?: true;
  /** The Machine's field with the time that ends it with its work undone, and what follows then. */
  limit?: {
    by: 'drainTimeoutSeconds' | 'volumeDetachTimeoutSeconds' | 'nodeDeletionTimeoutSeconds';
    afterwards: string;
  };
}

/**
 * The phases of a deletion, in order. Machines' checkpoints store the names, and events carry them. They are never renamed,
 * and a new one never takes an old one's name.
 */
const records = {
  'pre-drain': {
    of: ['capi', 'openshift', 'capi beside', 'openshift beside'],
    reasons: ['WaitingForPreDrainHook', 'WaitingForDrainPolicy'],
    waits: 'No pre-drain hook holds it any more',
    onNode: true,
    hooks: 'pre-drain',
  },
  drain: {
    of: ['capi', 'openshift', 'capi beside', 'openshift beside'],
    reasons: ['DrainingNode'],
    waits: 'Draining the Node',
    onNode: true,
    excludable: 'drain',
    limit: {
      by: 'drainTimeoutSeconds',
      afterwards: 'no Pod is evicted any more, and Pods that are still on the Node go with the server',
    },
  },
  'volume-detach': {
    of: ['capi', 'capi beside'],
    reasons: ['WaitingForVolumeDetach'],
    waits: 'Waiting for volumes to be detached from the Node',
    onNode: true,
    excludable: 'volume-detach',
    limit: {
      by: 'volumeDetachTimeoutSeconds',
      afterwards: 'the server is deleted while volumes are attached to it',
    },
  },
  'hand-over': {
    of: ['capi beside', 'openshift beside'],
    // Held, it shows that the Node belongs to another server, or that its owner is unknown.
    reasons: ['HandingOver', 'NodeOfAnotherServer', 'NodeUnknown'],
    waits: "Handing over to the API's own controller",
  },
  'pre-terminate': {
    of: ['capi', 'openshift', 'capi beside', 'openshift beside'],
    reasons: ['WaitingForPreTerminateHook'],
    waits: 'No pre-terminate hook holds it any more',
    hooks: 'pre-terminate',
  },
  infrastructure: {
    of: ['capi', 'openshift', 'v1alpha1'],
    reasons: ['WaitingForInfrastructureDeletion'],
    waits: 'Waiting for KIND to be deleted',
    object: 'infrastructure',
  },
  bootstrap: {
    of: ['capi'],
    reasons: ['WaitingForBootstrapDeletion'],
    waits: 'Waiting for KIND to be deleted',
    object: 'bootstrap',
    isOptional: true,
  },
  node: {
    of: ['capi', 'openshift', 'v1alpha1'],
    reasons: ['DeletingNode'],
    waits: 'Deleting the Node',
    onNode: true,
    limit: {
      by: 'nodeDeletionTimeoutSeconds',
      afterwards: 'the Node object is left behind, and the Machine goes',
    },
  },
  finalize: {
    of: ['capi', 'openshift', 'v1alpha1'],
    reasons: ['DeletionCompleted'],
    waits: 'Removing the finalizer',
  },
} as const satisfies Record<string, PhaseRecord>;

/** Name of a phase, as checkpoints, events and functions have it. */
export type Phase = keyof typeof records;

/** A reason that belongs to a phase. */
export type PhaseReason = (typeof records)[Phase]['reasons'][number];

/** Whether a word is the name of a phase. */
export const isPhase = (word: string): word is Phase => Object.hasOwn(records, word);

/** All phases, in order. */
export const phases: readonly Phase[] = Object.keys(records).filter(isPhase);

/** What is known of a phase. */
export const recordOf = (phase: Phase): PhaseRecord => records[phase];

/** The reasons of a phase: the first one while it waits. */
export const reasonsOf = (phase: Phase): readonly [PhaseReason, ...PhaseReason[]] => records[phase].reasons;

/** The phases of these deletions, in order. */
export const phasesOf = (chain: Chain): Phase[] =>
  phases.filter((phase) => recordOf(phase).of.includes(chain));

/** Those that touch the Node. */
export const nodePhases = phases.filter((phase) => recordOf(phase).onNode === true);

/** The point of the hooks that are waited for with this reason; undefined for all other reasons. */
export const hookPointOf = (reason: string): PhaseRecord['hooks'] =>
  phases.flatMap((phase) => recordOf(phase).hooks ?? []).find((point) => reasonsOf(point)[0] === reason);

/** Whether one phase comes before another in a deletion. */
export const isBefore = (phase: Phase, other: Phase): boolean =>
  phases.indexOf(phase) < phases.indexOf(other);
