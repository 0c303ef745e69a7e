import { keyOf } from '../../infra/cli/deploy/site.ts';
import { collectionOf } from '../../shared/adapters/kubernetes/request.ts';
import type { Resource } from '../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import {
  namespaces,
  nodes,
  persistentVolumes,
  pods,
  volumeAttachments,
} from '../../shared/kubernetes/resources.ts';
import { inCapiVersion, pathOf, resources } from './kinds.ts';
import { type Site, testLabel } from './site.ts';
import { pause } from './until.ts';

const ofClusterApi = [resources.capiMachines, resources.capiClusters, resources.drainRules];

/** Kinds that need a clean-up. A finalizer may stay on them for ever, or they outlive their namespace. */
const held: readonly Resource[] = [
  ...ofClusterApi,
  ...ofClusterApi.map((resource) => inCapiVersion(resource, 'v1beta1')),
  resources.openshiftMachines,
  resources.v1alpha1Machines,
  resources.v1alpha1Clusters,
  resources.infrastructure,
  resources.bootstrap,
  resources.claims,
];

const ofNoNamespace: readonly Resource[] = [
  nodes,
  volumeAttachments,
  persistentVolumes,
  resources.clusterRoleBindings,
  resources.clusterRoles,
  resources.policyBindings,
  resources.policies,
  resources.mutatingPolicyBindings,
  resources.mutatingPolicies,
];

const patienceMilliseconds = 60_000;

/**
 * Takes away everything of one run, or of all without a name, and nothing else. Resolves with what would not go. May be
 * done again.
 */
export async function cleanUp(site: Site, run?: string): Promise<string[]> {
  const labelSelector = run === undefined ? testLabel : `${testLabel}=${run}`;
  for (const resource of held) await removeAll(site, resource, labelSelector);
  await endPods(site, labelSelector);
  for (const resource of ofNoNamespace) await removeAll(site, resource, labelSelector);
  await removeAll(site, namespaces, labelSelector);
  const left = await namespacesLeft(site, labelSelector);
  return [...left, ...(await removeDefinitions(site, labelSelector))];
}

/** An answer that there is no such kind is as good as an empty list. */
async function listed(site: Site, resource: Resource, labelSelector: string): Promise<KubeObject[]> {
  const { path } = collectionOf(resource);
  const query = new URLSearchParams({ labelSelector }).toString();
  const { code, body } = await site.ask({ method: 'GET', path, query });
  if (code === 404) return [];
  if (code !== 200) throw new Error(`${resource.plural} could not be listed: ${JSON.stringify(body)}`);
  const { items } = Object(body);
  return Array.isArray(items) ? items : [];
}

async function removeAll(site: Site, resource: Resource, labelSelector: string): Promise<void> {
  const found = await listed(site, resource, labelSelector);
  await Promise.all(
    found.map(async (object) => {
      const path = pathOf(resource, keyOf(object));
      const isHeld = (object.metadata.finalizers ?? []).length > 0 && resource !== namespaces;
      await site.ask({ method: 'DELETE', path, body: { preconditions: { uid: object.metadata.uid } } });
      if (isHeld) await site.ask({ method: 'PATCH', path, body: { metadata: { finalizers: null } } });
    }),
  );
}

/** There is no kubelet to do so. */
async function endPods(site: Site, labelSelector: string): Promise<void> {
  for (const pod of await listed(site, pods, labelSelector)) {
    const path = pathOf(pods, keyOf(pod));
    await site.ask({ method: 'PATCH', path, body: { metadata: { finalizers: null } } });
    await site.ask({ method: 'DELETE', path, body: { gracePeriodSeconds: 0 } });
  }
}

/** Looks until there are none left; resolves with the names of those that would not go in a minute. */
async function untilNone(
  site: Site,
  resource: Resource,
  labelSelector: string,
  nameOf: (object: KubeObject) => string,
): Promise<string[]> {
  const deadline = site.clock.now() + patienceMilliseconds;
  for (;;) {
    const left = await listed(site, resource, labelSelector);
    if (left.length === 0 || site.clock.now() > deadline) return left.map(nameOf);
    await pause(500, site.clock, new AbortController().signal);
  }
}

/** Ends namespaces where no controller does, once all that we put there is gone. */
async function namespacesLeft(site: Site, labelSelector: string): Promise<string[]> {
  const { clock } = site;
  const deadline = clock.now() + patienceMilliseconds;
  for (let look = 1; ; look += 1) {
    const left = await listed(site, namespaces, labelSelector);
    if (left.length === 0 || clock.now() > deadline)
      return left.map(({ metadata }) => `Namespace ${metadata.name}`);
    if (look === 10 && left.every(isUntouched)) await Promise.all(left.map((one) => finalize(site, one)));
    await pause(500, clock, new AbortController().signal);
  }
}

/** A namespace controller says what it still finds, as conditions. */
const isUntouched = ({ status }: KubeObject): boolean => Object(status).conditions === undefined;

async function finalize(site: Site, namespace: KubeObject): Promise<void> {
  const path = `${pathOf(namespaces, { name: namespace.metadata.name })}/finalize`;
  const spec = { finalizers: [] };
  await site.ask({ method: 'PUT', path, body: { ...namespace, apiVersion: 'v1', kind: 'Namespace', spec } });
}

/** Their objects would go with them: where somebody else has made some since, they stay. */
async function removeDefinitions(site: Site, labelSelector: string): Promise<string[]> {
  const found = await listed(site, resources.definitions, labelSelector);
  const left = await Promise.all(
    found.map(async (definition) => {
      const { group, names, versions } = Object(definition['spec']);
      const resource = { group, plural: names.plural, version: versions.at(-1).name };
      const objects = await listed(site, resource, '');
      if (objects.length > 0)
        return [`CustomResourceDefinition ${definition.metadata.name}, of which there are objects`];
      const path = pathOf(resources.definitions, { name: definition.metadata.name });
      await site.ask({ method: 'DELETE', path, body: { preconditions: { uid: definition.metadata.uid } } });
      return [];
    }),
  );
  if (left.flat().length > 0) return left.flat();
  return untilNone(
    site,
    resources.definitions,
    labelSelector,
    (one) => `CustomResourceDefinition ${one.metadata.name}`,
  );
}
