import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { PolicyRule } from './rbac-rules.ts';

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
