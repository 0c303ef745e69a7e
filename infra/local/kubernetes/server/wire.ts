import { sortedFields } from '../../../../shared/text/byte-order.ts';
import { apiVersionOf, type Resource } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { kubeObject } from '../objects/kube-object.ts';
import { schemaAt } from '../schema/admission.ts';
import { prune } from '../schema/prune.ts';

/**
 * Objects as text. Stored objects are frozen and begin with their kind and apiVersion, so the text of each is made
 * once. Another version of it, or an item without both, differs only in its first characters.
 */
export class Wire {
  readonly #bodies = new WeakMap<KubeObject, string>();

  /** The object as an answer at this version. */
  object(resource: Resource, version: string, object: KubeObject): string {
    return `{"kind":"${resource.kind}","apiVersion":"${apiVersionOf(resource.group, version)}",${this.#bodyAt(resource, version, object)}`;
  }

  /** The object as an item of a list: built-in kinds leave kind and apiVersion to the list. */
  item(resource: Resource, version: string, object: KubeObject): string {
    return resource.isCustom ? this.object(resource, version, object) : `{${this.#body(resource, object)}`;
  }

  #bodyAt(resource: Resource, version: string, object: KubeObject): string {
    if (version === resource.storageVersion || !schemaAt(resource, version))
      return this.#body(resource, object);
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = atVersion(resource, version, object);
    return textOf(resource, rest);
  }

  #body(resource: Resource, object: KubeObject): string {
    const made = this.#bodies.get(object);
    if (made !== undefined && !resource.shownAs) return made;
    const {
      kind: _kind,
      apiVersion: _apiVersion,
      ...rest
    } = resource.shownAs ? resource.shownAs.toWire(object) : object;
    const body = textOf(resource, rest);
    if (!resource.shownAs) this.#bodies.set(object, body);
    return body;
  }
}

/** What follows the brace. Custom resources have their fields sorted, as Go has those of maps. */
const textOf = ({ isCustom }: Resource, fields: object): string =>
  (isCustom ? JSON.stringify(fields, sortedFields) : JSON.stringify(fields)).slice(1);

/** The object as a value at this version, for callers that need more than its text. */
export function atVersion(resource: Resource, version: string, object: KubeObject): KubeObject {
  const shown = resource.shownAs ? resource.shownAs.toWire(object) : object;
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = known(resource, version, shown);
  return { kind: resource.kind, apiVersion: apiVersionOf(resource.group, version), ...rest };
}

/** A version of a custom resource does not show fields that its schema does not know. */
function known(resource: Resource, version: string, object: KubeObject): KubeObject {
  const schema = version === resource.storageVersion ? undefined : schemaAt(resource, version);
  return schema ? kubeObject(prune(schema, object, () => {})) : object;
}
