import { Environment } from '@marcbachmann/cel-js';
import { describe, expect, it } from 'vitest';
import { type PolicySpec, policySchema } from '../../../infra/local/kubernetes/admission/policy-schema.ts';
import { callsIn, kubernetesFunctions } from '../../../infra/local/kubernetes/cel/expression.ts';
import { readAdmissionPolicies } from '../../../infra/local/load/admission-policies.ts';

const read = await readAdmissionPolicies();

const specOf = (concerns: string): PolicySpec => {
  const policy = read.find((one) => one.concerns === concerns);
  return policySchema.parse(policy?.manifests[0]?.object.spec);
};

/** All expressions of the policy that must be CEL. */
function expressions({ matchConditions, variables, validations }: PolicySpec): string[] {
  return [
    ...[...matchConditions, ...variables, ...validations].map(({ expression }) => expression),
    ...validations.map(({ messageExpression = '' }) => messageExpression),
  ];
}

const environment = new Environment({ enableOptionalTypes: true, unlistedVariablesAreDyn: true });

const aRule = { resourceNames: [], scope: '*' };

describe.each([
  {
    concerns: 'machines.machine.openshift.io',
    calls: ['filter', 'has', 'join', 'map', 'orValue', 'size'],
    rule: {
      ...aRule,
      apiGroups: ['machine.openshift.io'],
      apiVersions: ['v1beta1'],
      operations: ['UPDATE'],
      resources: ['machines'],
    },
  },
  {
    concerns: 'machinedrainrules.cluster.x-k8s.io',
    calls: [
      'dyn',
      'exists',
      'filter',
      'has',
      'indexOf',
      'join',
      'map',
      'matches',
      'orValue',
      'size',
      'string',
    ],
    rule: {
      ...aRule,
      apiGroups: ['cluster.x-k8s.io'],
      apiVersions: ['v1beta1', 'v1beta2'],
      operations: ['CREATE', 'UPDATE'],
      resources: ['machinedrainrules'],
    },
  },
])('the policy on $concerns', ({ concerns, calls, rule }) => {
  it('calls only what every Kubernetes since 1.29 knows', () => {
    const called = expressions(specOf(concerns)).flatMap((text) => callsIn(environment.parse(text).ast));
    const names = [...new Set(called)].toSorted();
    expect(names).toEqual(calls);
    expect(names.filter((name) => !kubernetesFunctions.has(name))).toEqual([]);
  });

  it('stays within what the API server takes of one', () => {
    const { matchConditions, validations } = specOf(concerns);
    expect(validations).toHaveLength(1);
    expect(validations[0]?.message).not.toMatch(/\n/);
    for (const text of expressions(specOf(concerns))) expect(text.length).toBeLessThan(10_000);
    for (const { name } of matchConditions) expect(name).toMatch(/^[A-Za-z0-9][-A-Za-z0-9_.]*$/);
  });

  it('sees what it is about, and refuses when it cannot tell', () => {
    const { failurePolicy, matchConstraints } = specOf(concerns);
    expect(failurePolicy).toBe('Fail');
    expect(matchConstraints.resourceRules).toEqual([rule]);
  });
});
