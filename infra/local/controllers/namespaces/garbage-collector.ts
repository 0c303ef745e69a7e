import type { KubeObject, OwnerReference } from '../../kubernetes/objects/cluster.ts';
import { isTerminating, uidOf } from '../machinery/objects.ts';
import type { WorkQueue } from '../machinery/work-queue.ts';
import type { World } from '../machinery/world.ts';
import { isServed } from '../machines/kinds.ts';

const foreground = 'foregroundDeletion';
const orphan = 'orphan';

/** Deletes what its owners have left behind, in the background, in the foreground or not at all, as was asked. */
export function garbageCollector(world: World): void {
  const graph = new OwnerGraph();
  const queue: WorkQueue = world.queue('garbage-collector', (uid) => {
    const vertex = graph.get(uid);
    if (vertex !== undefined) collect({ world, graph, vertex });
  });
  const addDependents = (uid: string): void => {
    for (const { object } of graph.dependentsOf(uid)) queue.add(uidOf(object));
  };

  world.informers.each((informer) =>
    informer.onChange(({ before, after }) => {
      if (after === undefined) {
        if (before === undefined) return;
        graph.remove(uidOf(before));
        // Owners that wait for their last dependent in the foreground.
        for (const reference of referencesOf(before)) queue.add(reference.uid);
        addDependents(uidOf(before));
        return;
      }
      graph.put({ resource: informer.resource, object: after });
      const uid = uidOf(after);
      if (referencesOf(after).length > 0 || isTerminating(after)) queue.add(uid);
      if (isTerminating(after)) addDependents(uid);
    }),
  );
}

interface Look {
  world: World;
  graph: OwnerGraph;
  vertex: Vertex;
}

function collect(look: Look): void {
  const { object } = look.vertex;
  if (has(look.vertex, orphan)) return releaseDependents(look);
  if (has(look.vertex, foreground)) return awaitDependents(look);
  if (!isTerminating(object) && referencesOf(object).length > 0) judgeByOwners(look);
}

/** A terminating object that carries the finalizer. */
function has({ object }: Vertex, finalizer: string): boolean {
  return isTerminating(object) && (object.metadata.finalizers ?? []).includes(finalizer);
}

function releaseDependents({ world, graph, vertex }: Look): void {
  const uid = uidOf(vertex.object);
  for (const dependent of graph.dependentsOf(uid))
    dropReferences(world, dependent, (reference) => reference.uid === uid);
  world.dropFinalizer(vertex.resource, vertex.object, orphan);
}

function awaitDependents({ world, graph, vertex }: Look): void {
  const uid = uidOf(vertex.object);
  const isBlocking = ({ object }: Vertex): boolean =>
    referencesOf(object).some((reference) => reference.uid === uid && reference.blockOwnerDeletion === true);
  if (!graph.dependentsOf(uid).some(isBlocking))
    world.dropFinalizer(vertex.resource, vertex.object, foreground);
}

function judgeByOwners({ world, graph, vertex }: Look): void {
  const standing = new Map<OwnerReference, OwnerState>();
  for (const reference of referencesOf(vertex.object)) {
    standing.set(reference, standingOf({ world, graph, vertex }, reference));
  }
  const found = new Set(standing.values());
  if (found.has('unknown')) return;
  if (!found.has('solid')) return removeDependent(world, graph, vertex, found.has('waiting'));
  if (found.size > 1) dropReferences(world, vertex, (reference) => standing.get(reference) !== 'solid');
}

type OwnerState = 'solid' | 'waiting' | 'absent' | 'unknown';

function standingOf({ world, graph, vertex }: Look, reference: OwnerReference): OwnerState {
  const owner = graph.get(reference.uid);
  const namespace = owner?.object.metadata.namespace;
  // An owner in another namespace counts as absent: references do not cross namespaces.
  if (owner !== undefined && (namespace === undefined || namespace === vertex.object.metadata.namespace)) {
    return has(owner, foreground) ? 'waiting' : 'solid';
  }
  if (world.settings.unknownOwners.has(reference.uid)) return 'unknown';
  return isServed(world, reference) ? 'absent' : 'unknown';
}

function removeDependent(
  world: World,
  graph: OwnerGraph,
  { resource, object }: Vertex,
  isAwaited: boolean,
): void {
  const goesInForeground = isAwaited && graph.dependentsOf(uidOf(object)).length > 0;
  world.remove(resource, object, { propagationPolicy: goesInForeground ? 'Foreground' : 'Background' });
}

function dropReferences(
  world: World,
  vertex: Vertex,
  isDropped: (reference: OwnerReference) => boolean,
): void {
  const { resource, object } = vertex;
  const left = referencesOf(object).filter((reference) => !isDropped(reference));
  const ownerReferences = left.length === 0 ? null : left;
  world.patchUnchanged(resource, object, { metadata: { ownerReferences } });
}

export interface Vertex {
  resource: string;
  object: KubeObject;
}

/** Who owns whom, across all resources, by uid. */
class OwnerGraph {
  readonly #vertices = new Map<string, Vertex>();
  readonly #dependents = new Map<string, Set<string>>();

  get(uid: string): Vertex | undefined {
    return this.#vertices.get(uid);
  }

  dependentsOf(uid: string): Vertex[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((dependent) => this.#vertices.get(dependent) ?? []);
  }

  put(vertex: Vertex): void {
    const uid = uidOf(vertex.object);
    this.remove(uid);
    this.#vertices.set(uid, vertex);
    for (const reference of referencesOf(vertex.object)) {
      const dependents = this.#dependents.get(reference.uid) ?? new Set<string>();
      this.#dependents.set(reference.uid, dependents.add(uid));
    }
  }

  remove(uid: string): void {
    const old = this.#vertices.get(uid);
    if (old === undefined) return;
    this.#vertices.delete(uid);
    for (const reference of referencesOf(old.object)) {
      const dependents = this.#dependents.get(reference.uid);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.#dependents.delete(reference.uid);
    }
  }
}

function referencesOf(object: KubeObject): readonly OwnerReference[] {
  return object.metadata.ownerReferences ?? [];
}
