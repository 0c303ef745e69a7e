import type { Cluster, KubeObject } from '../../kubernetes/objects/cluster.ts';
import { Informer } from './informer.ts';

const definitions = 'customresourcedefinitions.apiextensions.k8s.io';

// Written often, never owned, never waited for.
const ignored: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io']);

/** One informer for each resource, shared by all controllers; resources of new definitions join when they appear. */
export class Informers {
  readonly #cluster: Cluster;
  readonly #informers = new Map<string, Informer<KubeObject>>();
  readonly #served = new Set<string>();
  readonly #told = new Set<string>();
  readonly #everywhere: ((informer: Informer<KubeObject>) => void)[] = [];

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#discover();
    this.of(definitions).onChange(() => this.#discover());
  }

  /** May be asked for before the resource is served; it is empty until then. */
  of<T extends KubeObject>(resource: string): Informer<T> {
    const known = this.#informers.get(resource) ?? new Informer<KubeObject>(this.#cluster, resource);
    this.#informers.set(resource, known);
    if (this.#served.has(resource)) known.connect();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a resource has objects of one kind
    return known as unknown as Informer<T>;
  }

  /** Calls back with the informer of every resource that is or will be served. */
  each(listener: (informer: Informer<KubeObject>) => void): void {
    this.#everywhere.push(listener);
    for (const resource of this.#served) listener(this.of(resource));
  }

  serves(resource: string): boolean {
    return this.#served.has(resource);
  }

  refresh(resource: string, key: string): void {
    this.#informers.get(resource)?.refresh(key);
  }

  stop(): void {
    for (const informer of this.#informers.values()) informer.stop();
  }

  #discover(): void {
    const served = new Set(this.#cluster.resources().filter((resource) => !ignored.has(resource)));
    for (const resource of this.#served) {
      if (served.has(resource)) continue;
      this.#served.delete(resource);
      this.#informers.get(resource)?.disconnect();
    }
    for (const resource of served) {
      if (this.#served.has(resource)) continue;
      this.#served.add(resource);
      const informer = this.of(resource);
      if (this.#told.has(resource)) continue;
      this.#told.add(resource);
      for (const listener of this.#everywhere) listener(informer);
    }
  }
}
