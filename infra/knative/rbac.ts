import { type MachineApiName, machineApiNames } from '../../shared/dialects/registry.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { ServerlessFile } from '../serverless/model.ts';
import type { Permission, Side } from '../serverless/permissions-schema.ts';
import { modeIn } from './beside.ts';
import {
  boundRole,
  clusterRole,
  clusterRoleBinding,
  type Grant,
  isFor,
  roleBinding,
  rulesOf,
} from './rbac-objects.ts';

interface Places {
  /** Where the Machines are: what is needed only there is granted only there. Everywhere if absent. */
  namespaces?: readonly string[];
}

export interface RbacOptions extends Places {
  machineApis: readonly MachineApiName[];
  /** The functions' configuration, over what the file says. */
  environment?: Readonly<Record<string, string>>;
}

/** Whose Nodes are in the cluster that has the Machines; those of the others are behind a kubeconfig Secret. */
const haveNodesHere: ReadonlySet<MachineApiName> = new Set(['openshift']);

export const haveWorkloadClusters: readonly MachineApiName[] = machineApiNames.filter(
  (name) => !haveNodesHere.has(name),
);

/** ClusterRoles with this label add to what the functions may do with objects that Machines refer to. */
const providersLabel = 'phaseout.dev/aggregate-to-providers';

/**
 * Roles and bindings of the functions and the sources in the cluster that has the Machines. Each Machine API has its
 * own, so that those of several can stand side by side.
 */
export function rbacObjects(file: ServerlessFile, options: RbacOptions): KubeObject[] {
  return [...new Set(options.machineApis)].flatMap((machineApi) => [
    ...managementObjects(file, machineApi, options),
    ...(haveNodesHere.has(machineApi) ? workloadObjects(file, machineApi, options) : []),
    ...(machineApi === 'capi' && modeIn(machineApi, options.environment ?? {}) !== 'observe'
      ? providerObjects(file, options)
      : []),
    ...sourceObjects(file, machineApi, options),
  ]);
}

/**
 * The same in a workload cluster, with a ServiceAccount whose token a kubeconfig Secret can carry. It is for users who
 * do not give phaseout an administrator's permissions.
 */
export function workloadClusterObjects(
  file: ServerlessFile,
  machineApi: MachineApiName,
  environment: Readonly<Record<string, string>> = file.environment,
): KubeObject[] {
  const { name, namespace } = functionsOf(file);
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    ...workloadObjects(file, machineApi, { environment }),
  ];
}

function managementObjects(
  file: ServerlessFile,
  machineApi: MachineApiName,
  options: RbacOptions,
): KubeObject[] {
  const { name, permissions } = rightsOf('management', file, machineApi, options);
  const needed = permissions.filter(isAskedFor(file, options));
  return [...scoped({ name, to: functionsOf(file) }, needed, options), ...named(file, name, needed, options)];
}

function workloadObjects(
  file: ServerlessFile,
  machineApi: MachineApiName,
  options: Omit<RbacOptions, 'machineApis'>,
): KubeObject[] {
  const { name, permissions } = rightsOf('workload', file, machineApi, options);
  return scoped({ name, to: functionsOf(file) }, permissions.filter(isAskedFor(file, options)), options);
}

/** A source watches one namespace from within it, as a ServiceAccount of that namespace. */
function sourceObjects(file: ServerlessFile, machineApi: MachineApiName, options: RbacOptions): KubeObject[] {
  const { name, permissions } = rightsOf('sources', file, machineApi, options);
  return (options.namespaces ?? [undefined]).flatMap((namespace) =>
    scoped(
      { name, to: { name: file.serviceAccounts.sources, namespace: namespace ?? file.namespace } },
      permissions,
      namespace === undefined ? {} : { namespaces: [namespace] },
    ),
  );
}

/** Kinds of providers that phaseout does not know. The user who installs a provider grants phaseout its permissions. */
function providerObjects(file: ServerlessFile, { namespaces }: RbacOptions): KubeObject[] {
  const name = `${file.service}-providers`;
  const aggregated = {
    ...clusterRole(name, undefined),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [providersLabel]: 'true' } }] },
  };
  const grant = { name, to: functionsOf(file) };
  if (namespaces === undefined) return [aggregated, clusterRoleBinding(grant)];
  return [aggregated, ...namespaces.map((namespace) => roleBinding(grant, namespace, 'ClusterRole'))];
}

/** The permissions of one side, and the name of their roles. Permissions that only read have roles of their own. */
function rightsOf(
  side: Side,
  { service, permissions }: ServerlessFile,
  machineApi: MachineApiName,
  { environment = {} }: Pick<RbacOptions, 'environment'>,
) {
  const mode = modeIn(machineApi, environment);
  const name = `${service}-${mode === 'observe' ? 'observe-' : ''}${side}-${machineApi}`;
  return { name, permissions: permissions.filter(isFor(machineApi, side, mode)) };
}

const isAskedFor =
  (file: ServerlessFile, { environment = {} }: Pick<RbacOptions, 'environment'>) =>
  ({ askedBy }: Permission): boolean => {
    if (askedBy === undefined) return true;
    const [variable = '', word = 'true'] = askedBy.split('=');
    const value = { ...file.environment, ...environment }[variable] ?? '';
    return value.split(',').some((each) => each.trim() === word);
  };

const functionsOf = ({ serviceAccounts, namespace }: ServerlessFile): Grant['to'] => ({
  name: serviceAccounts.functions,
  namespace,
});

/** In the whole cluster what is needed there, and in the Machines' namespaces, where these are given, the rest. */
function scoped(grant: Grant, permissions: readonly Permission[], { namespaces }: Places): KubeObject[] {
  const inMachineNamespaces = permissions.filter(({ scope }) => scope === 'machine-namespaces');
  const everywhere = permissions.filter(({ scope }) => scope === 'cluster');
  if (namespaces === undefined) return boundRole(grant, rulesOf([...everywhere, ...inMachineNamespaces]));
  return [
    ...boundRole(grant, rulesOf(everywhere)),
    ...namespaces.flatMap((namespace) => boundRole(grant, rulesOf(inMachineNamespaces), namespace)),
  ];
}

/** For the objects that the configuration names, where it names them: a role in each of their namespaces. */
function named(
  file: ServerlessFile,
  name: string,
  permissions: readonly Permission[],
  { environment = {} }: RbacOptions,
): KubeObject[] {
  const variables = { ...file.environment, ...environment };
  const byName = permissions.filter(({ namedBy }) => namedBy !== undefined);
  const objects = byName.flatMap((permission) => {
    const [namespace = '', object = ''] = variables[permission.namedBy ?? '']?.split('/') ?? [];
    if (namespace === '' || object === '') return [];
    const only = permission.scope === 'named' ? { resourceNames: [object] } : {};
    return rulesOf([permission]).map((rule) => ({ namespace, rule: { ...rule, ...only } }));
  });
  const grant = { name: `${name}-named`, to: functionsOf(file) };
  return [...Map.groupBy(objects, ({ namespace }) => namespace)].flatMap(([namespace, of]) =>
    boundRole(
      grant,
      Array.from(of, ({ rule }) => rule),
      namespace,
    ),
  );
}
