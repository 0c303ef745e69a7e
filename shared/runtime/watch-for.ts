import type { Until } from '../decision.ts';
import type { KubeObject, PodDisruptionBudget, VolumeAttachment } from '../kubernetes/objects.ts';
import {
  type ChangeType,
  type Kubernetes,
  nodes,
  podDisruptionBudgets,
  pods,
  type Resource,
  type Selection,
  volumeAttachments,
} from '../kubernetes/port.ts';

type Watched = Exclude<Until, { kind: 'time' | 'hook-removed' | 'unpaused' }>;
type Seen = (type: ChangeType, object: KubeObject) => boolean;

/**
 * Watches for exactly what ends a wait and calls `wake` when it has happened, or when the watch can no longer tell
 * (too old a version, a broken stream): then looking is the only way to know. Returns the ways to stop.
 */
export function watchFor(kubernetes: Kubernetes, until: Watched, wake: () => void): (() => void)[] {
  return watches(until).map(({ resource, selection, resourceVersion, hasEnded }) =>
    kubernetes.watch(resource, selection, resourceVersion, {
      changed: (type, object) => {
        if (hasEnded(type, object)) wake();
      },
      ended: (expired) => {
        if (expired) wake();
      },
    }),
  );
}

interface Watching {
  resource: Resource;
  selection: Selection;
  resourceVersion: string;
  hasEnded: Seen;
}

function watches(until: Watched): Watching[] {
  if (until.kind === 'pods-gone') return [podsGone(until)];
  if (until.kind === 'budget-frees') return [budgetFrees(until)];
  if (until.kind === 'volumes-detached') return volumesDetached(until);
  return [objectGone(until)];
}

/** All of them, since one look then serves them all; a completed Pod counts as gone. */
function podsGone(until: Until & { kind: 'pods-gone' }): Watching {
  const awaited = new Set(until.uids);
  return {
    resource: pods,
    selection: { fieldSelector: `spec.nodeName=${until.nodeName}` },
    resourceVersion: until.resourceVersion,
    hasEnded(type, object) {
      if (type === 'DELETED' || isFinished(object)) awaited.delete(object.metadata.uid ?? '');
      return awaited.size === 0;
    },
  };
}

const isFinished = (object: KubeObject): boolean => {
  const { phase } = (object['status'] ?? {}) as { phase?: string };
  return phase === 'Succeeded' || phase === 'Failed';
};

function budgetFrees(until: Until & { kind: 'budget-frees' }): Watching {
  return {
    resource: podDisruptionBudgets,
    selection: { namespace: until.namespace, fieldSelector: `metadata.name=${until.name}` },
    resourceVersion: until.resourceVersion,
    hasEnded: (type, object) => type === 'DELETED' || allowsOne(object as PodDisruptionBudget),
  };
}

const allowsOne = ({ metadata, status }: PodDisruptionBudget): boolean =>
  (status?.disruptionsAllowed ?? 0) > 0 && status?.observedGeneration === metadata.generation;

function volumesDetached(until: Until & { kind: 'volumes-detached' }): Watching[] {
  const onNode = (object: KubeObject): boolean =>
    (object as VolumeAttachment).spec?.nodeName === until.nodeName;
  const node: Watching = {
    resource: nodes,
    selection: { fieldSelector: `metadata.name=${until.nodeName}` },
    resourceVersion: until.nodeVersion,
    hasEnded: (_type, object) => attachedOf(object) !== until.attached.join(),
  };
  if (until.attachmentsVersion === '') return [node];
  const attachments: Watching = {
    resource: volumeAttachments,
    selection: {},
    resourceVersion: until.attachmentsVersion,
    hasEnded: (type, object) => onNode(object) && (type === 'DELETED' || !isAttached(object)),
  };
  return [node, attachments];
}

/** Heartbeats change a Node all the time; only its volumes are of interest. */
function attachedOf(node: KubeObject): string {
  const { volumesAttached = [] } = (node['status'] ?? {}) as { volumesAttached?: { name: string }[] };
  return volumesAttached.map(({ name }) => name).join();
}

const isAttached = (object: KubeObject): boolean => (object as VolumeAttachment).status?.attached === true;

function objectGone(until: Until & { kind: 'object-gone' }): Watching {
  const { resource, key, uid } = until;
  const selection: Selection = { fieldSelector: `metadata.name=${key.name}` };
  if (key.namespace !== undefined) selection.namespace = key.namespace;
  return {
    resource,
    selection,
    resourceVersion: until.resourceVersion,
    hasEnded: (type, object) => type === 'DELETED' || object.metadata.uid !== uid,
  };
}
