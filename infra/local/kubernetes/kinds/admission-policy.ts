import { bindingIn, policyIn, type Reading } from '../admission/policy.ts';
import type { KindRules } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { isObject, type JsonObject, listOf, objectOf } from '../server/json.ts';

/** Refused if it uses a feature that this server does not enforce. `field` says which writes it is about. */
const enforced = (
  read: (object: KubeObject) => Reading<unknown>,
  field: string,
  unsaid: JsonObject,
): KindRules => ({
  hasGeneration: true,
  refusesRestored: true,
  defaults(object) {
    const { [field]: match, ...spec } = objectOf(object.spec);
    return { ...object, spec: { ...unsaid, ...spec, ...matching({ [field]: match }) } };
  },
  refusals(object) {
    const reading = read(object);
    return 'causes' in reading ? [...reading.causes] : [];
  },
});

/** ValidatingAdmissionPolicies. */
export const policyRules = enforced(policyIn, 'matchConstraints', { failurePolicy: 'Fail' });

/** ValidatingAdmissionPolicyBindings: they say where a policy holds, and what comes of it. */
export const policyBindingRules = enforced(bindingIn, 'matchResources', {});

/** The fields with what the API server fills in below them. */
function matching(fields: Readonly<Record<string, unknown>>): JsonObject {
  const entries = Object.entries(fields).filter(([, value]) => isObject(value));
  return Object.fromEntries(entries.map(([key, value]) => [key, filled(objectOf(value))]));
}

function filled({ resourceRules, excludeResourceRules, ...match }: JsonObject): JsonObject {
  const lists = Object.entries({ resourceRules, excludeResourceRules }).filter(([, list]) =>
    Array.isArray(list),
  );
  return {
    ...Object.fromEntries(lists.map(([key, list]) => [key, listOf(list).map(scoped)])),
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    ...match,
  };
}

const scoped = (rule: unknown): unknown => (isObject(rule) ? { ...rule, scope: rule.scope ?? '*' } : rule);
