import {
  approvalAnnotation,
  guessPlural,
  isProtectedGroup,
  type PrinterColumn,
} from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import type { Schema } from '../schema/schema.ts';
import { anything } from './shape.ts';

interface DefinedVersion {
  readonly name: string;
  readonly isDeprecated?: boolean;
  /** Takes any field when there is none. */
  readonly schema?: Schema;
  readonly columns?: readonly PrinterColumn[];
  readonly subresources?: Readonly<Record<string, object>>;
  readonly selectableFields?: readonly { jsonPath: string }[];
}

export interface Definition {
  readonly group: string;
  readonly kind: string;
  /** The one to guess when there is none. */
  readonly plural?: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** The last one is the version that is stored. */
  readonly versions: readonly DefinedVersion[];
}

/** A CustomResourceDefinition, served at all its versions and converted by its apiVersion alone. */
export function customResourceDefinition(definition: Definition): KubeObject {
  const { group, kind, plural = guessPlural(kind), scope = 'Namespaced', versions } = definition;
  const names = {
    plural,
    kind,
    singular: kind.toLowerCase(),
    listKind: `${kind}List`,
    ...(definition.shortNames && { shortNames: definition.shortNames }),
    ...(definition.categories && { categories: definition.categories }),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(definition.labels && { labels: definition.labels }),
      ...(isProtectedGroup(group) && {
        annotations: { [approvalAnnotation]: 'unapproved, from before approval' },
      }),
    },
    spec: {
      group,
      scope,
      names,
      versions: versions.map((one, i) => version(one, i === versions.length - 1)),
    },
  };
}

function version(one: DefinedVersion, isStored: boolean) {
  return {
    name: one.name,
    served: true,
    storage: isStored,
    ...(one.isDeprecated && { deprecated: true }),
    schema: { openAPIV3Schema: one.schema ?? anything },
    ...(one.subresources && { subresources: one.subresources }),
    ...(one.selectableFields && { selectableFields: one.selectableFields }),
    ...(one.columns && { additionalPrinterColumns: one.columns }),
  };
}

/** The subresources of what has replicas; where its selector is shown differs. */
export const scalable = (labelSelectorPath: string) => ({
  status: {},
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath,
  },
});

/** A column of `kubectl get`; those with a priority above 0 show only with `-o wide`. */
export function column(name: string, jsonPath: string, type = 'string', priority = 0): PrinterColumn {
  return { name, type, jsonPath, ...(priority > 0 && { priority }) };
}

export const age = column('Age', '.metadata.creationTimestamp', 'date');

/** The status of one condition as a column. */
export function condition(name: string, type: string, priority = 0): PrinterColumn {
  return column(name, `.status.conditions[?(@.type=="${type}")].status`, 'string', priority);
}
