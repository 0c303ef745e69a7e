import * as z from 'zod';
import { ownControllersIn } from '../../infra/cli/deploy/own-controllers.ts';
import { whatRuns } from '../../infra/cli/deploy/refuse-mode.ts';
import { newestVersions } from '../../infra/knative/options.ts';
import { CannotDo } from '../../infra/terminal/usage-error.ts';
import { resources } from './kinds.ts';
import { type MachineApisHere, machineApisAt } from './machine-apis.ts';
import { type Site, testLabel } from './site.ts';

/** What is there before anything is made. */
export interface Survey extends MachineApisHere {
  version: string;
  /** Who runs this, as the API server knows them. */
  user: string;
  /** `namespace/name` of Machines that are somebody else's, and what else speaks against a run. */
  foreignMachines: string[];
  /** Controllers of the other Machine APIs. */
  ownControllers: string[];
  /** What shows that Cluster API's own controller works; undefined where it does not. */
  peer: string | undefined;
  installations: string[];
  hasPolicies: boolean;
  /** Policies that change what is made. */
  hasMutatingPolicies: boolean;
  /** Cluster API has MachineDrainRules of its own. */
  hasDrainRules: boolean;
  /** What an earlier run has left, or one at this moment has made. */
  otherRuns: string[];
}

/** Throws CannotDo where so little may be done that nothing can be found out. */
export async function survey(site: Site): Promise<Survey> {
  const { kubernetes } = site;
  const user = await userOf(site);
  await refuseWithoutRights(site, user);
  if ((await kubernetes.discover('policy', 'PodDisruptionBudget', 'v1')) === undefined) {
    throw new CannotDo(
      `${site.server} is too old: it has no disruption budgets in policy/v1, as Kubernetes 1.21 has`,
    );
  }
  const machineApis = await machineApisAt(site);
  return {
    version: await versionOf(site),
    user,
    ...machineApis,
    foreignMachines: await foreignMachines(site, machineApis),
    ownControllers: await ownControllersIn(kubernetes, others),
    peer: await whatRuns(site, { capi }),
    installations: (await kubernetes.list(resources.clusterRoles, { labelSelector: installed })).items.map(
      ({ metadata }) => metadata.name,
    ),
    hasPolicies: await isServed(site, admission, 'ValidatingAdmissionPolicy', 'v1'),
    hasMutatingPolicies: await isServed(site, admission, 'MutatingAdmissionPolicy', 'v1'),
    hasDrainRules: await isServed(site, resources.drainRules.group, 'MachineDrainRule', machineApis.capi),
    otherRuns: await otherRuns(site),
  };
}

const { capi, ...others } = newestVersions;
const admission = 'admissionregistration.k8s.io';

const isServed = async (
  { kubernetes }: Site,
  group: string,
  kind: string,
  version: string,
): Promise<boolean> => (await kubernetes.discover(group, kind, version)) !== undefined;

const installed = 'app.kubernetes.io/part-of=phaseout,app.kubernetes.io/component=rbac';

async function foreignMachines(
  { kubernetes }: Site,
  { served }: Pick<MachineApisHere, 'served'>,
): Promise<string[]> {
  const lists = await Promise.all(served.map(({ resource }) => kubernetes.list(resource)));
  return lists.flatMap(({ items }) =>
    items
      .filter(({ metadata }) => metadata.labels?.[testLabel] === undefined)
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
  );
}

async function otherRuns({ kubernetes }: Site): Promise<string[]> {
  const namespaces = { group: '', version: 'v1', plural: 'namespaces' };
  const lists = [namespaces, resources.definitions, resources.clusterRoles].map((resource) =>
    kubernetes.list(resource, { labelSelector: testLabel }),
  );
  const items = (await Promise.all(lists)).flatMap((list) => list.items);
  return [...new Set(items.map(({ metadata }) => metadata.labels?.[testLabel] ?? ''))].toSorted();
}

const versionSchema = z.looseObject({ gitVersion: z.string() });

async function versionOf(site: Site): Promise<string> {
  const { body } = await site.ask({ method: 'GET', path: '/version' });
  return versionSchema.safeParse(body).data?.gitVersion ?? 'of an unknown version';
}

const reviewSchema = z.looseObject({
  status: z.looseObject({
    allowed: z.boolean().optional(),
    userInfo: z.looseObject({ username: z.string() }).optional(),
  }),
});

async function userOf(site: Site): Promise<string> {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const answer = await site.ask({ method: 'POST', path, body });
  return reviewSchema.safeParse(answer.body).data?.status.userInfo?.username ?? 'unknown';
}

/** Roles can be given by those alone who may do all that they grant. */
const needed: readonly (readonly [verb: string, group: string, resource: string])[] = [
  ['list', 'apps', 'deployments'],
  ['list', 'coordination.k8s.io', 'leases'],
  ['list', 'rbac.authorization.k8s.io', 'clusterroles'],
  ['create', '', 'namespaces'],
  ['delete', '', 'namespaces'],
  ['create', '', 'nodes'],
  ['patch', '', 'nodes/status'],
  ['delete', '', 'nodes'],
  ['patch', '', 'pods/status'],
  ['delete', '', 'pods'],
  ['create', '', 'persistentvolumes'],
  ['create', '', 'serviceaccounts/token'],
  ['create', 'storage.k8s.io', 'volumeattachments'],
  ['create', 'apiextensions.k8s.io', 'customresourcedefinitions'],
  ['create', 'rbac.authorization.k8s.io', 'clusterroles'],
  ['create', 'rbac.authorization.k8s.io', 'clusterrolebindings'],
  ['delete', 'infrastructure.cluster.x-k8s.io', '*'],
  ['get', 'controlplane.cluster.x-k8s.io', '*'],
  ['patch', 'cluster.x-k8s.io', 'machines/status'],
  ['patch', 'machine.openshift.io', 'machines/status'],
  ['patch', 'cluster.k8s.io', 'machines/status'],
];

async function refuseWithoutRights(site: Site, user: string): Promise<void> {
  const answers = await Promise.all(
    needed.map(async ([verb, group, resource]) => {
      const [name, subresource = ''] = resource.split('/');
      const spec = { resourceAttributes: { verb, group, resource: name, subresource } };
      const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec };
      const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
      const answer = await site.ask({ method: 'POST', path, body });
      const isAllowed = reviewSchema.safeParse(answer.body).data?.status.allowed === true;
      return isAllowed ? [] : [`${verb} ${resource}${group === '' ? '' : `.${group}`}`];
    }),
  );
  const missing = answers.flat();
  if (missing.length === 0) return;
  throw new CannotDo(`${user} may not do at ${site.server} what this needs: ${missing.join(', ')}`);
}
