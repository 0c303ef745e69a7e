import { aggregate } from '../../../../shared/text/truncate.ts';
import type { Api } from '../objects/api.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { listOf, objectOf, textAt, textsOf } from '../server/json.ts';
import type { Attributes, ResourceAttributes } from './attributes.ts';
import { masters, serviceAccountName, type User } from './user.ts';

const group = 'rbac.authorization.k8s.io';

export interface Judgement {
  allowed: boolean;
  /** Which binding allows it; otherwise which roles could not be found. Often empty. */
  reason: string;
}

/** Whether a role that is bound to the user allows it, and which: the first one found. */
export function authorize(api: Api, user: User, attributes: Attributes): Judgement {
  if (user.groups.includes(masters)) return { allowed: true, reason: '' };
  const missing: string[] = [];
  for (const grant of grantsOf(api, user, attributes.kind === 'resource' ? attributes.namespace : '')) {
    if (grant.role === undefined) missing.push(notFound(grant));
    else if (rulesOf(grant.role).some((rule) => allows(rule, attributes)))
      return { allowed: true, reason: `RBAC: allowed by ${describe(grant)}` };
  }
  return { allowed: false, reason: missing.length === 0 ? '' : `RBAC: ${aggregate(missing)}` };
}

/** All rules that hold for the user in a namespace. */
export const rulesFor = (api: Api, user: User, namespace: string): PolicyRule[] =>
  grantsOf(api, user, namespace).flatMap(({ role }) => rulesOf(role));

/** A binding that names the user, and the role it leads to. */
interface Grant {
  binding: KubeObject;
  subject: unknown;
  role: KubeObject | undefined;
}

function grantsOf({ store }: Api, user: User, namespace: string): Grant[] {
  const everywhere = store.list(`clusterrolebindings.${group}`);
  const here =
    namespace === ''
      ? []
      : store.list(`rolebindings.${group}`).filter(({ metadata }) => metadata.namespace === namespace);
  return [...everywhere, ...here].flatMap((binding) => {
    const subject = listOf(binding['subjects']).find((one) => means(one, user, binding));
    return subject === undefined ? [] : [{ binding, subject, role: roleOf(store, binding) }];
  });
}

function means(subject: unknown, user: User, { metadata }: KubeObject): boolean {
  const name = textAt(subject, 'name');
  const kind = textAt(subject, 'kind');
  if (kind === 'User') return name === user.name;
  if (kind === 'Group') return user.groups.includes(name);
  const namespace = textAt(subject, 'namespace') || (metadata.namespace ?? '');
  return kind === 'ServiceAccount' && user.name === serviceAccountName(namespace, name);
}

function roleOf(store: Api['store'], binding: KubeObject): KubeObject | undefined {
  const name = textAt(binding, 'roleRef', 'name');
  return textAt(binding, 'roleRef', 'kind') === 'ClusterRole'
    ? store.get(`clusterroles.${group}`, undefined, name)
    : store.get(`roles.${group}`, binding.metadata.namespace, name);
}

const notFound = ({ binding }: Grant): string => {
  const kind = textAt(binding, 'roleRef', 'kind').toLowerCase();
  return `${kind}.${group} ${JSON.stringify(textAt(binding, 'roleRef', 'name'))} not found`;
};

function describe({ binding, subject }: Grant): string {
  const { name, namespace } = binding.metadata;
  const kind = namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding';
  const of = `${textAt(binding, 'roleRef', 'kind')} ${JSON.stringify(textAt(binding, 'roleRef', 'name'))}`;
  const to = [textAt(subject, 'name'), textAt(subject, 'namespace')].filter(Boolean).join('/');
  const bound = namespace === undefined ? name : `${name}/${namespace}`;
  return `${kind} ${JSON.stringify(bound)} of ${of} to ${textAt(subject, 'kind')} ${JSON.stringify(to)}`;
}

/** A rule of a Role or ClusterRole, read. */
interface PolicyRule {
  verbs: string[];
  apiGroups: string[];
  resources: string[];
  resourceNames: string[];
  nonResourceURLs: string[];
}

const known = new WeakMap<KubeObject, PolicyRule[]>();

/** The rules of a stored role, which is read once: a change makes it another object. */
function rulesOf(role: KubeObject | undefined): readonly PolicyRule[] {
  if (role === undefined) return [];
  const before = known.get(role);
  if (before) return before;
  const rules = readRules(role);
  known.set(role, rules);
  return rules;
}

const readRules = (role: KubeObject): PolicyRule[] =>
  listOf(role['rules']).map((rule) => {
    const fields = objectOf(rule);
    return {
      verbs: textsOf(fields['verbs']),
      apiGroups: textsOf(fields['apiGroups']),
      resources: textsOf(fields['resources']),
      resourceNames: textsOf(fields['resourceNames']),
      nonResourceURLs: textsOf(fields['nonResourceURLs']),
    };
  });

/** Whether the rule allows what is asked. */
function allows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!isAmong(attributes.verb, rule.verbs)) return false;
  if (attributes.kind === 'path')
    return rule.nonResourceURLs.some((url) => matchesPath(url, attributes.path));
  return (
    isAmong(attributes.group, rule.apiGroups) &&
    rule.resources.some((resource) => matchesResource(resource, attributes)) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(attributes.name))
  );
}

const isAmong = (word: string, words: readonly string[]): boolean =>
  words.includes('*') || words.includes(word);

/** A subresource is a resource of its own: permission to change Pods is no permission to evict them. */
function matchesResource(allowed: string, { resource, subresource }: ResourceAttributes): boolean {
  if (allowed === '*') return true;
  if (subresource === '') return allowed === resource;
  return allowed === `${resource}/${subresource}` || allowed === `*/${subresource}`;
}

const matchesPath = (url: string, path: string): boolean =>
  url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1)));
