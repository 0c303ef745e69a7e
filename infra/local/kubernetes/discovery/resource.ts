import type { User } from '../authorization/user.ts';
import type { KubeObject, ObjectMeta } from '../objects/cluster.ts';
import type { Schema } from '../schema/schema.ts';
import { type JsonObject, textAt } from '../server/json.ts';

/** What the API server does to objects of one kind beyond what it does to all. */
export interface KindRules {
  /** Fills in what the API server fills in, on every write. */
  readonly defaults?: (object: KubeObject) => KubeObject;
  /** Last word on a new object, for instance on the status it starts with. */
  readonly onCreate?: (object: KubeObject) => KubeObject;
  readonly onUpdate?: (next: KubeObject, previous: KubeObject) => KubeObject;
  /** Why the object cannot be read as this kind at all. */
  readonly malformation?: (object: KubeObject) => string | undefined;
  readonly refusals?: (next: KubeObject, previous: KubeObject | undefined) => Cause[];
  /** Field selectors beside metadata.name and metadata.namespace. */
  readonly fields?: Readonly<Record<string, (object: KubeObject) => string>>;
  /** The API server counts changes of anything but metadata and status. */
  readonly hasGeneration?: boolean;
  /** A change needs a resourceVersion: a patch has that of the object unless it takes it away. */
  readonly needsVersion?: boolean;
  /** PUT of an object that is missing creates it. */
  readonly createsOnUpdate?: boolean;
  /** The metadata that a write of the status leaves as it was. */
  readonly keptByStatus?: readonly (keyof ObjectMeta)[];
  /** Fields beside metadata that an empty object has. Bookmarks carry them. */
  readonly zero?: JsonObject;
  /** Changed annotations count as a change of the spec. */
  readonly countsAnnotations?: boolean;
  /** DELETE answers with the object rather than with a Status. */
  readonly answersObject?: boolean;
  /** A Pod lingers for its grace period. */
  readonly isGraceful?: boolean;
  /** Dependents are orphaned unless the request says otherwise. */
  readonly orphansByDefault?: boolean;
  /** All fields beside kind, apiVersion and metadata; any field is taken when this is not said. */
  readonly knownFields?: readonly string[];
  /** Names are DNS labels: no dots. */
  readonly hasLabelNames?: boolean;
  /** Names may hold anything a path segment may. */
  readonly hasLooseNames?: boolean;
  /** What would be refused as a new object is refused from a dump, too. */
  readonly refusesRestored?: boolean;
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

export interface ServedVersion {
  readonly name: string;
  readonly columns: readonly PrinterColumn[];
  readonly selectableFields: readonly string[];
  readonly schema?: Schema;
  /** Text of the Warning header on every answer at this version. */
  readonly warning?: string;
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath?: string;
  };
}

export interface Resource {
  /** `pods` or `machines.cluster.x-k8s.io`. */
  readonly key: string;
  /** The key under which objects are stored: that of another resource when both show the same objects. */
  readonly storage: string;
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly string[];
  /** Served versions, preferred first. */
  readonly versions: readonly ServedVersion[];
  readonly storageVersion: string;
  readonly isCustom: boolean;
  readonly rules: KindRules;
  /** How stored objects are shown at this resource, when it shows objects of another one. */
  readonly shownAs?: {
    readonly toWire: (object: KubeObject) => KubeObject;
    readonly fromWire: (object: KubeObject) => KubeObject;
  };
}

export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** As Kubernetes itself guesses, and what most definitions say. */
export function guessPlural(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

export function hasStatus(resource: Resource): boolean {
  return resource.subresources.includes('status');
}

/** The key of an object within its resource; keys sort as the API server lists. */
export function objectKey(namespace: string | undefined, name: string): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** One reason why an object is refused. */
export interface Cause {
  reason: string;
  message: string;
  field: string;
}

/** With this a definition says that it may use a group of the Kubernetes project, or uses it unapproved. */
export const approvalAnnotation = 'api-approved.kubernetes.io';

/** Whether a group is the Kubernetes project's own: `cluster.k8s.io` is, `cluster.x-k8s.io` is not. */
export const isProtectedGroup = (group: string): boolean => /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);

/** The group of a reference to an object: Cluster API's v1beta2 has a field for it, older ones an apiVersion. */
export const groupOfReference = (reference: unknown): string =>
  textAt(reference, 'apiGroup') || (textAt(reference, 'apiVersion').split('/')[0] ?? '');

/** Which object or collection a request is about. */
export interface Target {
  readonly resource: Resource;
  readonly version: string;
  readonly namespace: string | undefined;
  /** Empty for a collection. */
  readonly name: string;
  /** Empty for the main resource. */
  readonly subresource: string;
}

/** How a write is meant. */
export interface WriteOptions {
  /** All is done but storing. */
  readonly dryRun?: boolean;
  /** The whole object came from the client, as with PUT. */
  readonly isReplacement?: boolean;
  readonly isPatch?: boolean;
  /** What to do about unknown fields: `Warn` unless said otherwise. */
  readonly fieldValidation?: string;
  /** Takes the texts of Warning headers. */
  readonly warn?: (text: string) => void;
  /** Who asks; the API server itself when it is not said. */
  readonly user?: User;
  /** The field manager, if one was given. */
  readonly manager?: string;
  /** The program that asks, which names the owner when nothing else does. */
  readonly agent?: string;
  /** An apply takes fields from their owners. */
  readonly force?: boolean;
  /** Whose fields are whose after an apply. */
  readonly owners?: readonly Owner[];
}

/** Who set which fields of an object, and how: by apply, or by any other write. */
export interface Owner {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  /** Of the write, for refusals to name. */
  readonly apiVersion: string;
  readonly subresource: string;
  readonly fields: ReadonlySet<string>;
}
