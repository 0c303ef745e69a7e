import type { ChangeType, Key, Resource, Selection } from '../kubernetes/client.ts';
import {
  isFinished,
  type KubeObject,
  type Node,
  type PodDisruptionBudget,
  type VolumeAttachment,
} from '../kubernetes/objects.ts';
import { nodes, podDisruptionBudgets, pods, volumeAttachments } from '../kubernetes/resources.ts';
import type { PodsGone, WaitsFor } from '../phase/decision.ts';

/** What ends by a change of an object, rather than by time or by the Machine's own change. */
export type Watched = Exclude<WaitsFor, { kind: 'time' | 'hook-removed' | 'unpaused' }>;

/** A Machine's own changes arrive as events; there is nothing else to watch for a hook or a pause. */
export const isWatched = (ending: WaitsFor): ending is Watched =>
  ending.kind !== 'time' && ending.kind !== 'hook-removed' && ending.kind !== 'unpaused';

/** What ends a wait by a watch of this collection, or of one object in it. */
export interface Watching {
  resource: Resource;
  selection: Selection;
  resourceVersion: string;
  /** One object's version may be as old as its last change, and so be expired from the start. */
  isOfOneObject: boolean;
  hasEnded: Seen;
}

/** The watches that show the end of a wait. */
export function watches(until: Watched): Watching[] {
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

/**
 * Whether a change ends a wait, or after how many milliseconds. More of the same may follow, and one look serves them all.
 */
type Seen = (type: ChangeType, object: KubeObject) => boolean | number;

/** A budget may let another Pod go now. */
const othersMilliseconds = 700;
/** The budget that refuses the others may be told a moment after a Pod has gone. Its own watch wakes before. */
const budgetMilliseconds = 300;
/** The last Pods mostly go by themselves. Only one that stays needs this look. */
const lastMilliseconds = 3_000;
/** As many as the message of an unfinished drain names. */
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
    const haveAllGone = (isAwaited && awaited.size === 0) || (isLowest && lowest.size === 0);
    if (haveAllGone) return others.size === 0 || budgetMilliseconds;
    if (isOther) return othersMilliseconds;
    const areFew = [...awaited].filter((each) => !mayLast.has(each)).length <= fewPods;
    return isAwaited && areFew ? lastMilliseconds : false;
  };
}
