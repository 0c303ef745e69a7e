import * as z from 'zod';
import { clusterApiDefinitions } from '../../../infra/local/kubernetes/crds/cluster-api.ts';
import { customResourceDefinition } from '../../../infra/local/kubernetes/crds/definition.ts';
import { machineSets } from '../../../infra/local/kubernetes/crds/machine-sets.ts';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';

const status = { status: {} };
const providerKinds = [
  ['infrastructure', 'GenericInfrastructureMachine'],
  ['bootstrap', 'GenericBootstrapConfig'],
  ['controlplane', 'GenericControlPlane'],
] as const;

const providerDefinitions = providerKinds.map(([group, kind]) =>
  customResourceDefinition({
    group: `${group}.cluster.x-k8s.io`,
    kind,
    plural: `${kind.toLowerCase()}s`,
    versions: [
      { name: 'v1beta1', subresources: status },
      { name: 'v1beta2', subresources: status },
    ],
  }),
);

const clusterApi = [...clusterApiDefinitions(), machineSets];

const definitionSpec = z.looseObject({ versions: z.array(z.looseObject({ name: z.string() })) });

/** Cluster API as a management cluster serves it that knows one version alone. */
const clusterApiAt = (version: string): KubeObject[] =>
  clusterApi.map((definition) => {
    const spec = definitionSpec.parse(definition['spec']);
    const versions = spec.versions.filter(({ name }) => name === version);
    return { ...definition, spec: { ...spec, versions: versions.map((one) => ({ ...one, storage: true })) } };
  });

/** What the management cluster serves: all versions, or one of Cluster API's alone. */
export const definitionsOf = (version: string | undefined): KubeObject[] => [
  ...(version === undefined ? clusterApi : clusterApiAt(version)),
  ...providerDefinitions,
];
