import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { nameOf } from './object-name.ts';
import { isAdopted, isOurs } from './ours.ts';
import { keyOf, resourceOf, type Site } from './site.ts';

/**
 * The objects that this cluster needs. Leaves out definitions that the Machine API has installed, since they belong to
 * it. Leaves out admission policies if the API server is too old for them. Those that put hooks on come in the version
 * that is served.
 */
export async function withoutNeedless(site: Site, objects: readonly KubeObject[]): Promise<KubeObject[]> {
  const hasPolicies = await enforcesPolicies(site, objects);
  const mutating = await mutatingVersion(site, objects);
  const kept = await Promise.all(
    objects.map(async (object) => {
      if (isMutating(object)) return mutating === undefined ? [] : [{ ...object, apiVersion: mutating }];
      const isNeedless = isPolicy(object) ? !hasPolicies : await isForeign(site, object);
      return isNeedless ? [] : [object];
    }),
  );
  return kept.flat();
}

const isMutating = ({ kind }: KubeObject): boolean => kind?.startsWith('MutatingAdmissionPolicy') === true;

/** The version that they are served in; undefined where they are not, or there are none. */
async function mutatingVersion(site: Site, objects: readonly KubeObject[]): Promise<string | undefined> {
  const policy = objects.find(isMutating);
  if (policy === undefined) return undefined;
  for (const version of ['v1', 'v1beta1']) {
    const apiVersion = `admissionregistration.k8s.io/${version}`;
    if ((await resourceOf(site, { ...policy, apiVersion })) !== undefined) return apiVersion;
  }
  const text = `new Machines get the hook a moment after they are made: ${site.where} serves no MutatingAdmissionPolicies, Kubernetes 1.36 and later do`;
  site.tell({ event: 'found', text });
  return undefined;
}

const isPolicy = ({ kind }: KubeObject): boolean => kind?.startsWith('ValidatingAdmissionPolicy') === true;

async function enforcesPolicies(site: Site, objects: readonly KubeObject[]): Promise<boolean> {
  const policy = objects.find(isPolicy);
  if (policy === undefined || (await resourceOf(site, policy)) !== undefined) return true;
  const text = `without admission policies: ${site.where} does not serve them, Kubernetes 1.30 and later do`;
  site.tell({ event: 'found', text });
  return false;
}

async function isForeign(site: Site, object: KubeObject): Promise<boolean> {
  if (object.kind !== 'CustomResourceDefinition') return false;
  const resource = await resourceOf(site, object);
  const found = resource && (await site.kubernetes.get(resource, keyOf(object)));
  if (found === undefined || (isOurs(site, found) && !isAdopted(found))) return false;
  site.tell({ event: 'found', text: `${nameOf(object)} is there already, and left as it is` });
  return true;
}
