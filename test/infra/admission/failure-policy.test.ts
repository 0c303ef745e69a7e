import { expect, it } from 'vitest';
import { readAdmissionPolicies } from '../../../infra/local/load/admission-policies.ts';

it('what a policy cannot judge it refuses, and what it refuses is denied', async () => {
  const objects = (await readAdmissionPolicies()).flatMap(({ manifests }) => manifests);
  expect(objects.map(({ object: { kind, metadata, spec } }) => [kind, metadata.name, spec])).toMatchObject([
    ['ValidatingAdmissionPolicy', 'machine-lifecycle-hooks.phaseout.dev', { failurePolicy: 'Fail' }],
    [
      'ValidatingAdmissionPolicyBinding',
      'machine-lifecycle-hooks.phaseout.dev',
      { validationActions: ['Deny'] },
    ],
    ['ValidatingAdmissionPolicy', 'machine-drain-rules.phaseout.dev', { failurePolicy: 'Fail' }],
    ['ValidatingAdmissionPolicyBinding', 'machine-drain-rules.phaseout.dev', { validationActions: ['Deny'] }],
  ]);
});
