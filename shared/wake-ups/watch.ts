import type { ChangeType, Key, Kubernetes, Resource, Selection } from '../kubernetes/client.ts';
import {
  isFinished,
  type KubeObject,
  type Node,
  type PodDisruptionBudget,
  type VolumeAttachment,
} from '../kubernetes/objects.ts';
import { nodes, podDisruptionBudgets, pods, volumeAttachments } from '../kubernetes/resources.ts';
import type { PodsGone, WaitsFor } from '../phase/decision.ts';
import type { Clock } from '../time/clock.ts';

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
 * Watches for exactly what ends a wait. A stream that ends goes on from where it began: one cut connection must not cost
 * the whole wait. The pause before grows: an API may end each stream at once. Returns the ways to stop.
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
        // A watch from the latest version begins with the object. A look would find the same old version again.
        if (isOfOneObject && resourceVersion !== latest) open(latest);
        else wakeToList();
      },
    });
  };
  const later = (resourceVersion: string): void => {
    stop = clock.after(pauseMilliseconds, () => {
      // No other stream shows what went while a stream from the latest version was closed.
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
  if (until.kind === 'pods-gone') {
    const { nodeName, resourceVersion } = until;
    const selection = { fieldSelector: `spec.nodeName=${nodeName}` };
    return [{ resource: pods, selection, resourceVersion, isOfOneObject: false, hasEnded: awaitPods(until) }];
  }
  if (until.kind === 'budget-frees') return [oneObject(podDisruptionBudgets, until, until, allowsOne)];
  if (until.kind === 'volumes-detached') return volumesDetached(until);
  const isReplaced = (object: KubeObject): boolean => object.metadata.uid !== until.uid;
  if (until.kind === 'object-gone') return [oneObject(until.resource, until.key, until, isReplaced)];
  return [oneObject(nodes, { name: until.name }, until, (node) => isReplaced(node) || !isCordoned(node))];
}

/** Ends when the object is deleted, or when it has become what `isOver` says. */
const oneObject = (
  resource: Resource,
  { name, namespace }: Key,
  { resourceVersion }: Pick<Watching, 'resourceVersion'>,
  isOver: (object: KubeObject) => boolean,
): Watching => ({
  resource,
  selection: { fieldSelector: `metadata.name=${name}`, ...(namespace !== undefined && { namespace }) },
  resourceVersion,
  isOfOneObject: true,
  hasEnded: (type, object) => type === 'DELETED' || isOver(object),
});

const allowsOne = ({ metadata, status }: PodDisruptionBudget): boolean =>
  (status?.disruptionsAllowed ?? 0) > 0 && status?.observedGeneration === metadata.generation;

function volumesDetached(until: WaitsFor & { kind: 'volumes-detached' }): Watching[] {
  const { nodeName, nodeVersion, attached, attachmentsVersion } = until;
  const onNode = (object: KubeObject): boolean => (object as VolumeAttachment).spec?.nodeName === nodeName;
  const node = oneObject(
    nodes,
    { name: nodeName },
    { resourceVersion: nodeVersion },
    (object) => attachedOf(object) !== attached.join(),
  );
  if (attachmentsVersion === '') return [node];
  const attachments: Watching = {
    resource: volumeAttachments,
    selection: {},
    resourceVersion: attachmentsVersion,
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

const isCordoned = (object: KubeObject): boolean => (object as Node).spec?.unschedulable === true;

/** Whether a change ends a wait. `soon`: more of the same may follow, and one look serves them all. */
type Seen = (type: ChangeType, object: KubeObject) => boolean | 'soon';

/** As many as the message of an unfinished drain names. While more are to go any moment one look serves them all. */
const fewPods = 3;

/**
 * Ends when Pods have gone that a drain waits for: all of them, or all of the lowest order. Where others are left it
 * ends a moment later. A Pod that never goes must not hide the end of the others. A completed Pod is gone.
 */
function awaitPods({ uids, lowestOrder = [], lasting = [], refused = [] }: PodsGone): Seen {
  const awaited = new Set(uids);
  const lowest = new Set(lowestOrder);
  const others = new Set(refused);
  const mayLast = new Set(lasting);

  return (type, object) => {
    const { uid = '' } = object.metadata;
    if (type !== 'DELETED' && !isFinished(object)) return false;
    const [isAwaited, isLowest, isOther] = [awaited, lowest, others].map((set) => set.delete(uid));
    if ((isAwaited && awaited.size === 0) || (isLowest && lowest.size === 0)) return true;
    if (isOther) return 'soon';
    return isAwaited && [...awaited].filter((each) => !mayLast.has(each)).length <= fewPods ? 'soon' : false;
  };
}
