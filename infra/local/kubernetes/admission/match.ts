import type { Target } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { selects } from '../selectors/label-selector.ts';
import type { MatchResources, Rule } from './policy-schema.ts';

/** A write on its way into the store. */
export interface Write {
  readonly target: Target;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  /** What there will be; undefined when it goes. */
  readonly object: KubeObject | undefined;
  /** What there was; undefined when it is new. */
  readonly previous: KubeObject | undefined;
  readonly name: string;
  /** Of the object; undefined for objects outside namespaces, Namespaces among them. */
  readonly namespace: KubeObject | undefined;
}

/** The version at which the rules want to see the write; undefined when they do not speak of it. */
export function matchedVersion(match: MatchResources, write: Write): string | undefined {
  if (!isSelected(match, write)) return undefined;
  const versions = match.matchPolicy === 'Exact' ? [write.target.version] : versionsOf(write.target);
  const isIn = (rules: readonly Rule[]) => (version: string) =>
    rules.some((rule) => concerns(rule, write, version));
  if (versions.some(isIn(match.excludeResourceRules))) return undefined;
  return match.resourceRules.length === 0 ? write.target.version : versions.find(isIn(match.resourceRules));
}

/** All versions show the same object; that of the request first. */
function versionsOf({ resource, version }: Target): string[] {
  return [version, ...resource.versions.map(({ name }) => name).filter((name) => name !== version)];
}

function concerns(rule: Rule, { target, operation, name }: Write, version: string): boolean {
  const { resource, subresource } = target;
  const isOfScope = rule.scope === '*' || (rule.scope === 'Namespaced') === resource.namespaced;
  return (
    isOfScope &&
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, resource.group) &&
    includes(rule.apiVersions, version) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(name)) &&
    rule.resources.some((written) => isResource(written, resource.plural, subresource))
  );
}

const includes = (list: readonly string[], one: string): boolean => list.includes('*') || list.includes(one);

function isResource(written: string, plural: string, subresource: string): boolean {
  const [resource, below = ''] = written.split('/');
  return (resource === '*' || resource === plural) && below === subresource;
}

function isSelected({ namespaceSelector, objectSelector }: MatchResources, write: Write): boolean {
  const { object, previous, namespace, target } = write;
  const objects = [object, previous].filter((one) => one !== undefined);
  const home = target.resource.key === 'namespaces' ? objects[0] : namespace;
  return (
    (home === undefined || selects(namespaceSelector, labelsOf(home))) &&
    objects.some((one) => selects(objectSelector, labelsOf(one)))
  );
}

const labelsOf = ({ metadata }: KubeObject): Record<string, string> => metadata.labels ?? {};
