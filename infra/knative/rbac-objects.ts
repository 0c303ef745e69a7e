import type { MachineApiName, Mode } from '../../shared/dialects/registry.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Permission, Side } from '../serverless/permissions-schema.ts';

const group = 'rbac.authorization.k8s.io';
const apiVersion = `${group}/v1`;

/** A role and its binding, which have one name, and the ServiceAccount that it is for. */
export interface Grant {
  name: string;
  to: { name: string; namespace: string };
}

/** Nothing where there are no rules. In the whole cluster without a namespace. */
export function boundRole(grant: Grant, rules: PolicyRule[], namespace?: string): KubeObject[] {
  if (rules.length === 0) return [];
  if (namespace === undefined) return [clusterRole(grant.name, rules), clusterRoleBinding(grant)];
  const role = { apiVersion, kind: 'Role', metadata: { name: grant.name, namespace }, rules };
  return [role, roleBinding(grant, namespace, 'Role')];
}

/** Without `rules` the field stays unset, for the controller that aggregates ClusterRoles. */
export const clusterRole = (name: string, rules: PolicyRule[] | undefined): KubeObject => ({
  apiVersion,
  kind: 'ClusterRole',
  metadata: { name },
  ...(rules === undefined ? {} : { rules }),
});

export const clusterRoleBinding = ({ name, to }: Grant): KubeObject => ({
  apiVersion,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  ...boundTo('ClusterRole', name, to),
});

export const roleBinding = (
  { name, to }: Grant,
  namespace: string,
  kind: 'Role' | 'ClusterRole',
): KubeObject => ({
  apiVersion,
  kind: 'RoleBinding',
  metadata: { name, namespace },
  ...boundTo(kind, name, to),
});

const boundTo = (kind: string, name: string, to: Grant['to']) => ({
  roleRef: { apiGroup: group, kind, name },
  subjects: [{ kind: 'ServiceAccount', ...to }],
});

/** A rule of a Role or ClusterRole. */
interface PolicyRule {
  apiGroups: string[];
  resources: string[];
  resourceNames?: string[];
  verbs: string[];
}

/** Who needs permissions, for Machines of an API, in a mode. What is only watched has a list of its own. */
export const isFor =
  (machineApi: MachineApiName, side: Side, mode: Mode) =>
  (permission: Permission): boolean =>
    permission.side === side &&
    permission.for?.includes(machineApi) !== false &&
    (permission.mode === undefined ? mode !== 'observe' : permission.mode === mode);

/** The permissions as rules, all verbs for the same resources in one. */
export function rulesOf(permissions: readonly Permission[]): PolicyRule[] {
  const rules = new Map<string, PolicyRule>();
  for (const { apiGroups, resources, verbs } of permissions) {
    const key = JSON.stringify([apiGroups, resources]);
    const known = rules.get(key)?.verbs ?? [];
    rules.set(key, { apiGroups, resources, verbs: [...new Set([...known, ...verbs])] });
  }
  return [...rules.values()];
}
