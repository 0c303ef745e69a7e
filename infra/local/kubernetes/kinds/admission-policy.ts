import { bindingIn, policyIn } from '../admission/policy.ts';
import type { KindRules } from '../discovery/resource.ts';
import { isObject, type JsonObject, listOf, objectOf } from '../server/json.ts';

/** ValidatingAdmissionPolicies: refused if they use a feature that this server does not enforce. */
export const policyRules: KindRules = {
  hasGeneration: true,
  refusesRestored: true,
  defaults(policy) {
    const { matchConstraints, ...spec } = objectOf(policy.spec);
    return { ...policy, spec: { failurePolicy: 'Fail', ...spec, ...matching({ matchConstraints }) } };
  },
  refusals(policy) {
    const reading = policyIn(policy);
    return 'causes' in reading ? [...reading.causes] : [];
  },
};

/** ValidatingAdmissionPolicyBindings: they say where a policy holds, and what comes of it. */
export const policyBindingRules: KindRules = {
  hasGeneration: true,
  refusesRestored: true,
  defaults(binding) {
    const { matchResources, ...spec } = objectOf(binding.spec);
    return { ...binding, spec: { ...spec, ...matching({ matchResources }) } };
  },
  refusals(binding) {
    const reading = bindingIn(binding);
    return 'causes' in reading ? [...reading.causes] : [];
  },
};

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
