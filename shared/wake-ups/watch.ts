import type { Kubernetes, Resource, Selection } from '../kubernetes/client.ts';
import type { KubeObject, Node, PodDisruptionBudget, VolumeAttachment } from '../kubernetes/objects.ts';
import { nodes, podDisruptionBudgets, pods, volumeAttachments } from '../kubernetes/resources.ts';
import type { PodsGone, WaitsFor } from '../phase/decision.ts';
import type { Clock } from '../time/clock.ts';
import { awaitPods, type Seen } from './await-pods.ts';

/** What ends by a change of an object, rather than by time or by the Machine's own change. */
export type Watched = Exclude<WaitsFor, { kind: 'time' | 'hook-removed' | 'unpaused' }>;

/** What a watch is kept with. */
export interface Lookout {
  kubernetes: Kubernetes;
  clock: Clock;
  /** Called when what is watched for has happened, or when only a look can tell whether it has. */
  wake: () => void;
  /** Called instead where that is because an API has forgotten what has changed since the last look. */
  wakeToList?: () => void;
}

/**
 * Watches for exactly what ends a wait. A stream that ends goes on from where it began, after a pause that grows: an
 * API that ends each at once must not be asked without end, and one cut connection must not cost the whole wait.
 * Returns the ways to stop.
 */
export function watchFor(lookout: Lookout, until: Watched): (() => void)[] {
  return watches(until).map((watching) => keepOpen(lookout, watching));
}

interface Watching {
  resource: Resource;
  selection: Selection;
  resourceVersion: string;
  /** One object's version may be as old as its last change, and so be expired from the start. */
  isOfOneObject: boolean;
  hasEnded: Seen;
}

const latest = '';
const firstPauseMilliseconds = 200;
const longestPauseMilliseconds = 10_000;
/** So long nothing more has followed. */
const soonMilliseconds = 700;

function keepOpen({ kubernetes, clock, wake, wakeToList = wake }: Lookout, watching: Watching): () => void {
  const { resource, selection, isOfOneObject, hasEnded } = watching;
  let pauseMilliseconds = firstPauseMilliseconds;
  let stop: () => void;
  let soon: (() => void) | undefined;
  const wakeSoon = (): void => {
    soon?.();
    soon = clock.after(soonMilliseconds, wake);
  };
  const open = (resourceVersion: string): void => {
    stop = kubernetes.watch(resource, selection, resourceVersion, {
      changed: (type, object) => {
        const ended = hasEnded(type, object);
        if (ended === 'soon') wakeSoon();
        else if (ended) wake();
      },
      ended: (expired) => {
        if (!expired) return later(resourceVersion);
        // From the latest version on the object itself is told first: a look would find the same old version again.
        if (isOfOneObject && resourceVersion !== latest) open(latest);
        else wakeToList();
      },
    });
  };
  const later = (resourceVersion: string): void => {
    stop = clock.after(pauseMilliseconds, () => {
      // What went while a stream from the latest version was closed is told by no other one.
      if (resourceVersion === latest) wakeToList();
      else open(resourceVersion);
    });
    pauseMilliseconds = Math.min(2 * pauseMilliseconds, longestPauseMilliseconds);
  };
  open(watching.resourceVersion);
  return () => {
    soon?.();
    stop();
  };
}

function watches(until: Watched): Watching[] {
  if (until.kind === 'pods-gone') return [podsGone(until)];
  if (until.kind === 'budget-frees') return [budgetFrees(until)];
  if (until.kind === 'volumes-detached') return volumesDetached(until);
  if (until.kind === 'node-freed') return [nodeFreed(until)];
  return [objectGone(until)];
}

const podsGone = (until: PodsGone): Watching => ({
  resource: pods,
  selection: { fieldSelector: `spec.nodeName=${until.nodeName}` },
  resourceVersion: until.resourceVersion,
  isOfOneObject: false,
  hasEnded: awaitPods(until),
});

function budgetFrees(until: WaitsFor & { kind: 'budget-frees' }): Watching {
  return {
    resource: podDisruptionBudgets,
    selection: { namespace: until.namespace, fieldSelector: `metadata.name=${until.name}` },
    resourceVersion: until.resourceVersion,
    isOfOneObject: true,
    hasEnded: (type, object) => type === 'DELETED' || allowsOne(object),
  };
}

const allowsOne = ({ metadata, status }: PodDisruptionBudget): boolean =>
  (status?.disruptionsAllowed ?? 0) > 0 && status?.observedGeneration === metadata.generation;

function volumesDetached(until: WaitsFor & { kind: 'volumes-detached' }): Watching[] {
  const onNode = (object: KubeObject): boolean =>
    (object as VolumeAttachment).spec?.nodeName === until.nodeName;
  const node: Watching = {
    resource: nodes,
    selection: { fieldSelector: `metadata.name=${until.nodeName}` },
    resourceVersion: until.nodeVersion,
    isOfOneObject: true,
    hasEnded: (type, object) => type === 'DELETED' || attachedOf(object) !== until.attached.join(),
  };
  if (until.attachmentsVersion === '') return [node];
  const attachments: Watching = {
    resource: volumeAttachments,
    selection: {},
    resourceVersion: until.attachmentsVersion,
    isOfOneObject: false,
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

const nodeFreed = ({ name, uid, resourceVersion }: WaitsFor & { kind: 'node-freed' }): Watching => ({
  resource: nodes,
  selection: { fieldSelector: `metadata.name=${name}` },
  resourceVersion,
  isOfOneObject: true,
  hasEnded: (type, object) => type === 'DELETED' || object.metadata.uid !== uid || !isCordoned(object),
});

const isCordoned = (object: KubeObject): boolean => (object as Node).spec?.unschedulable === true;

function objectGone(until: WaitsFor & { kind: 'object-gone' }): Watching {
  const { resource, key, uid } = until;
  const selection: Selection = { fieldSelector: `metadata.name=${key.name}` };
  if (key.namespace !== undefined) selection.namespace = key.namespace;
  return {
    resource,
    selection,
    resourceVersion: until.resourceVersion,
    isOfOneObject: true,
    hasEnded: (type, object) => type === 'DELETED' || object.metadata.uid !== uid,
  };
}
