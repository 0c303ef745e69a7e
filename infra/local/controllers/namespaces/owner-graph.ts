import type { KubeObject, OwnerReference } from '../../kubernetes/objects/cluster.ts';
import { uidOf } from '../machinery/objects.ts';

export interface Vertex {
  resource: string;
  object: KubeObject;
}

/** Who owns whom, across all resources, by uid. */
export class OwnerGraph {
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

export function referencesOf(object: KubeObject): readonly OwnerReference[] {
  return object.metadata.ownerReferences ?? [];
}
