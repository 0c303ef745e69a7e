import { expect, it } from 'vitest';
import { Environment } from '@marcbachmann/cel-js';
import { kubernetesFunctions } from '../../../infra/local/kubernetes/cel/expression.ts';
import { callsIn } from '../../../infra/local/kubernetes/cel/syntax.ts';
import { policySchema } from '../../../infra/local/kubernetes/admission/policy-schema.ts';
import { readAdmissionPolicies } from '../../../infra/local/load/admission-policies.ts';

async function readPolicy() {
  const [policy] = await readAdmissionPolicies();
  return policySchema.parse(policy?.object.spec);
}

/** All expressions of the policy that must be CEL. */
async function expressions(): Promise<string[]> {
  const { matchConditions, variables, validations } = await readPolicy();
  return [
    ...[...matchConditions, ...variables, ...validations].map(({ expression }) => expression),
    ...validations.map(({ messageExpression = '' }) => messageExpression),
  ];
}

it('the policy calls only what every Kubernetes since 1.29 knows', async () => {
  const environment = new Environment({ enableOptionalTypes: true, unlistedVariablesAreDyn: true });
  const calls = (await expressions()).flatMap((text) => callsIn(environment.parse(text).ast));
  const names = [...new Set(calls)].toSorted();
  expect(names).toEqual(['filter', 'has', 'join', 'map', 'orValue', 'size']);
  expect(names.filter((name) => !kubernetesFunctions.has(name))).toEqual([]);
});

it('the policy stays within what the API server takes of one', async () => {
  const { matchConditions, validations } = await readPolicy();
  expect(validations).toHaveLength(1);
  expect(validations[0]?.message).not.toMatch(/\n/);
  for (const text of await expressions()) expect(text.length).toBeLessThan(10_000);
  for (const { name } of matchConditions) expect(name).toMatch(/^[A-Za-z0-9][-A-Za-z0-9_.]*$/);
});

it('the policy sees updates of Machines, and refuses when it cannot tell', async () => {
  const { failurePolicy, matchConstraints } = await readPolicy();
  expect(failurePolicy).toBe('Fail');
  expect(matchConstraints.resourceRules).toEqual([
    {
      apiGroups: ['machine.openshift.io'],
      apiVersions: ['v1beta1'],
      operations: ['UPDATE'],
      resources: ['machines'],
      resourceNames: [],
      scope: '*',
    },
  ]);
});
