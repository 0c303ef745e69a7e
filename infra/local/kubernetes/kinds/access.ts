import type { Cause, KindRules } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { invalidValue, required, unsupported } from '../objects/status.ts';
import { areEqual, listOf, objectOf, textAt } from '../server/json.ts';

const group = 'rbac.authorization.k8s.io';

/** Roles and ClusterRoles. Their names may have colons. */
const rolesRules = (isClusterWide: boolean): KindRules => ({
  hasLooseNames: true,
  refusals: (role) =>
    listOf(role.rules).flatMap((rule, index) => ruleRefusals(rule, `rules[${index}]`, isClusterWide)),
});

export const roleRules = rolesRules(false);
export const clusterRoleRules = rolesRules(true);

function ruleRefusals(rule: unknown, field: string, isClusterWide: boolean): Cause[] {
  const has = (name: string): boolean => listOf(objectOf(rule)[name]).length > 0;
  const causes: Cause[] = [];
  if (!has('verbs')) causes.push(required(`${field}.verbs`, 'verbs must contain at least one value'));
  if (has('nonResourceURLs')) {
    const why = 'namespaced rules cannot apply to non-resource URLs';
    if (!isClusterWide)
      causes.push(invalidValue(`${field}.nonResourceURLs`, objectOf(rule).nonResourceURLs, why));
    return causes;
  }
  if (!has('apiGroups'))
    causes.push(required(`${field}.apiGroups`, 'resource rules must supply at least one api group'));
  if (!has('resources'))
    causes.push(required(`${field}.resources`, 'resource rules must supply at least one resource'));
  return causes;
}

/** RoleBindings and ClusterRoleBindings: what they bind is never changed. */
export const bindingRules: KindRules = {
  hasLooseNames: true,
  defaults: (binding) => ({
    ...binding,
    ...(binding.subjects === undefined ? {} : { subjects: listOf(binding.subjects).map(withGroup) }),
  }),
  refusals: (binding, previous) => [...refRefusals(binding), ...changeRefusals(binding, previous)],
};

/** ServiceAccounts are of the core group. */
function withGroup(subject: unknown): unknown {
  const { kind, apiGroup, ...rest } = objectOf(subject);
  if (kind === 'ServiceAccount' || apiGroup !== undefined) return subject;
  return { kind, apiGroup: group, ...rest };
}

function refRefusals({ roleRef }: KubeObject): Cause[] {
  const kind = textAt(roleRef, 'kind');
  const causes: Cause[] = [];
  if (kind !== 'Role' && kind !== 'ClusterRole')
    causes.push(unsupported('roleRef.kind', kind, ['Role', 'ClusterRole']));
  if (textAt(roleRef, 'name') === '') causes.push(required('roleRef.name'));
  return causes;
}

function changeRefusals({ roleRef }: KubeObject, previous: KubeObject | undefined): Cause[] {
  if (previous === undefined || areEqual(roleRef, previous.roleRef)) return [];
  const shown = {
    APIGroup: textAt(roleRef, 'apiGroup'),
    Kind: textAt(roleRef, 'kind'),
    Name: textAt(roleRef, 'name'),
  };
  return [invalidValue('roleRef', shown, 'cannot change roleRef')];
}
