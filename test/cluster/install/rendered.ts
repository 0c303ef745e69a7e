import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { besideComponent } from '../../../infra/knative/beside-policies.ts';
import { readDefinitions } from '../../../infra/knative/definitions.ts';
import { hookWatchdogComponent } from '../../../infra/knative/hook-watchdog.ts';
import { inNamespace } from '../../../infra/knative/installation.ts';
import { componentLabel } from '../../../infra/knative/manifest.ts';
import { renderManifests } from '../../../infra/knative/manifests.ts';
import { workloadClusterObjects } from '../../../infra/knative/rbac.ts';
import type { MachineApiVersions } from '../../../infra/serverless/for-machine-apis.ts';
import type { ServerlessFile } from '../../../infra/serverless/model.ts';
import { problemLines, readServerless } from '../../../infra/serverless/read.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Survey } from '../survey.ts';

export interface Wishes {
  /** Of this run: part of the name of whatever belongs to no namespace. */
  name: string;
  /** Where the Machines are; everywhere if absent. */
  namespaces?: readonly string[];
  machineApis: MachineApiVersions;
  environment: Readonly<Record<string, string>>;
}

/** Everything that would be applied, as it is read back from the text of the manifests. */
export async function renderedObjects({
  name,
  namespaces,
  machineApis,
  environment,
}: Wishes): Promise<KubeObject[]> {
  const besidePolicies = await readDefinitions('admission-beside');
  const files = renderManifests(await declared(name), {
    namespace: name,
    machineApis,
    environment,
    besidePolicies,
    ...(namespaces === undefined ? {} : { namespaces }),
  });
  return [...files]
    .filter(([path]) => path !== 'kustomization.yaml')
    .flatMap(([, text]) => parseAllDocuments(text).map((document): KubeObject => document.toJS()));
}

const access = new Set(['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']);

/** What an API server alone has use for; the hook watchdog is not played and gets no rights. */
export function isMade(
  { kind = '', metadata: { labels } }: KubeObject,
  { hasPolicies, hasMutatingPolicies }: Pick<Survey, 'hasPolicies' | 'hasMutatingPolicies'>,
): boolean {
  const component = labels?.[componentLabel];
  if (component === besideComponent) return kind.startsWith('Validating') ? hasPolicies : hasMutatingPolicies;
  return component !== hookWatchdogComponent && (access.has(kind) || kind === 'Lease');
}

/** What a kubeconfig Secret has to permit, in a namespace of its own. */
export async function workloadObjects(name: string): Promise<KubeObject[]> {
  const file = inNamespace(await declared(name), workloadNamespace(name));
  const objects = (['capi', 'v1alpha1'] as const).flatMap((api) => workloadClusterObjects(file, api));
  return [...new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object])).values()];
}

export const workloadNamespace = (name: string): string => `${name}-workload`;

/** Their rules hold for everybody in the cluster otherwise: here they hold in this run's namespaces. */
export async function confinedPolicies(name: string, labels: object): Promise<KubeObject[]> {
  const confinement = { matchResources: { namespaceSelector: { matchLabels: labels } } };
  return (await readDefinitions('admission')).map((object) => {
    const metadata = { name: `${name}.${object.metadata.name}` };
    const spec = Object(object['spec']);
    if (object.kind === 'ValidatingAdmissionPolicy') return { ...object, metadata };
    return {
      ...object,
      metadata,
      spec: { ...spec, policyName: `${name}.${spec.policyName}`, ...confinement },
    };
  });
}

const path = new URL('../../../serverless.yml', import.meta.url).pathname;

/** What serverless.yml says, for an installation of this name. */
export async function declared(name: string): Promise<ServerlessFile> {
  const reading = readServerless(await readFile(path, 'utf8'));
  if (reading.kind === 'refused') throw new Error(problemLines(path, reading.problems).join('\n'));
  return { ...reading.file, service: name };
}
