import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { CapiVersion } from '../machine-apis.ts';
import { make } from '../make.ts';
import { type Site, testLabel } from '../site.ts';
import type { Survey } from '../survey.ts';
import { containerOf } from '../ways/read-manifests.ts';
import { kubeconfigOf, writeKubeconfig } from './accounts.ts';
import { installDefinitions } from './definitions.ts';
import { peerObjects } from './peer.ts';
import { untilPoliciesHold } from './policies.ts';
import { confinedPolicies, isMade, renderedObjects, workloadNamespace, workloadObjects } from './rendered.ts';

/** What was rendered and is there, and how the processes get in. */
export interface Installation {
  name: string;
  /** Everything rendered, also what only Knative would take. */
  rendered: KubeObject[];
  /** Paths of kubeconfigs. */
  functions: string;
  /** Of the sources, by namespace of the source. */
  sources: ReadonlyMap<string, string>;
  /** Of one who may do what functions and sources together may. */
  both: string;
  /** The text for the kubeconfig Secrets of Clusters. */
  workload: string;
  hasPolicies: boolean;
  /** The version in which Cluster API is served. */
  capi: CapiVersion;
  definitions: string[];
}

export interface Wishes {
  name: string;
  run: string;
  folder: string;
  /** Of the stories. */
  namespaces: readonly string[];
  isConfined: boolean;
  isBeside: boolean;
  environment: Readonly<Record<string, string>>;
  survey: Pick<Survey, 'hasPolicies' | 'hasMutatingPolicies' | 'machineApis' | 'capi' | 'peer'>;
}

export async function install(site: Site, wishes: Wishes): Promise<Installation> {
  const { name, run, folder, namespaces, isConfined, isBeside, environment, survey } = wishes;
  const hasPeer = isBeside && survey.peer !== undefined;
  for (const namespace of [name, ...namespaces]) await make(site, run, namespaceOf(namespace));
  const definitions = await installDefinitions(site, run, hasPeer);
  const confinement = isConfined ? { namespaces } : {};
  const rendered = await renderedObjects({
    name,
    environment,
    machineApis: survey.machineApis,
    ...confinement,
  });
  const policies = survey.hasPolicies ? await confinedPolicies(name, { [testLabel]: run }) : [];
  const needed = rendered.filter((object) => isMade(object, survey));
  const ofPeer = hasPeer ? peerObjects(name) : [];
  for (const object of [...needed, ...(await workloadObjects(name)), ...ofPeer, ...policies])
    await make(site, run, object);
  if (!isConfined) for (const object of bothOf(needed, name)) await make(site, run, object);
  const config = async (of: string, key: { namespace: string; name: string }): Promise<string> =>
    writeKubeconfig(folder, of, await kubeconfigOf(site, key));
  const watching = isConfined ? namespaces : [name];
  const sources = watching.map(
    async (namespace): Promise<[string, string]> => [
      namespace,
      await config(`sources-${namespace}`, { namespace, name: 'phaseout-sources' }),
    ],
  );
  if (survey.hasPolicies) await untilPoliciesHold(site, name, survey.capi);
  return {
    name,
    rendered,
    functions: await config('functions', {
      namespace: name,
      name: containerOf(rendered).serviceAccountName,
    }),
    sources: new Map(await Promise.all(sources)),
    both: isConfined ? '' : await config('both', { namespace: name, name: bothName }),
    workload: await kubeconfigOf(site, { namespace: workloadNamespace(name), name: 'phaseout' }),
    hasPolicies: survey.hasPolicies,
    capi: survey.capi,
    definitions,
  };
}

const namespaceOf = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
});

const bothName = 'phaseout-run';

/** `phaseout run` is sources and functions in one: it gets the roles of both. */
function bothOf(objects: readonly KubeObject[], namespace: string): KubeObject[] {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: bothName, namespace } };
  const subjects = [{ kind: 'ServiceAccount', name: bothName, namespace }];
  const bindings = objects
    .filter(({ kind }) => kind === 'ClusterRoleBinding' || kind === 'RoleBinding')
    .map((binding) => ({
      ...binding,
      metadata: { ...binding.metadata, name: `${binding.metadata.name}-run` },
      subjects,
    }));
  return [account, ...bindings];
}
