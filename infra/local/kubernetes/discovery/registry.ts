import { apiVersionOf, type Resource } from './resource.ts';

/** The resources that are served now, in the order of their coming. */
export class Registry {
  readonly #byKey = new Map<string, Resource>();

  constructor(resources: readonly Resource[]) {
    for (const resource of resources) this.add(resource);
  }

  add(resource: Resource): void {
    this.#byKey.set(resource.key, resource);
  }

  remove(key: string): void {
    this.#byKey.delete(key);
  }

  get(key: string): Resource | undefined {
    return this.#byKey.get(key);
  }

  all(): Resource[] {
    return [...this.#byKey.values()];
  }

  /** The resource of a path, if its group serves it at this version. */
  at(group: string, version: string, plural: string): Resource | undefined {
    const resource = this.#byKey.get(group === '' ? plural : `${plural}.${group}`);
    return resource?.versions.some((served) => served.name === version) ? resource : undefined;
  }

  inGroupVersion(group: string, version: string): Resource[] {
    return this.all().filter(
      (one) => one.group === group && one.versions.some((served) => served.name === version),
    );
  }

  byKind(apiVersion: string, kind: string): Resource | undefined {
    return this.all().find(
      (one) =>
        one.kind === kind &&
        one.versions.some((served) => apiVersionOf(one.group, served.name) === apiVersion),
    );
  }
}
