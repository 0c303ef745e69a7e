import type { KubeObject } from '../objects/cluster.ts';
import { listOf, objectOf, textsOf } from '../server/json.ts';
import type { Attributes, ResourceAttributes } from './attributes.ts';

/** A rule of a Role or ClusterRole, read. */
export interface PolicyRule {
  verbs: string[];
  apiGroups: string[];
  resources: string[];
  resourceNames: string[];
  nonResourceURLs: string[];
}

const known = new WeakMap<KubeObject, PolicyRule[]>();

/** The rules of a stored role, which is read once: a change makes it another object. */
export function rulesOf(role: KubeObject | undefined): readonly PolicyRule[] {
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
export function allows(rule: PolicyRule, attributes: Attributes): boolean {
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
