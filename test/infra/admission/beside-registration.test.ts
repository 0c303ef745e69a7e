import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { policyWords } from '../../../infra/local/kubernetes/admission/words.ts';
import { compile } from '../../../infra/local/kubernetes/cel/expression.ts';
import { celValue } from '../../../infra/local/kubernetes/cel/value.ts';
import { readManifests } from '../../../infra/terminal/manifests.ts';
import {
  hookOf,
  hookOwner,
  registeredAnnotation,
  releasedAnnotation,
} from '../../../shared/dialects/beside/hook.ts';

const path = fileURLToPath(new URL('../../../infra/admission/beside-registration.yaml', import.meta.url));
const [policy, binding, parameter] = (await readManifests([path])).map(({ object }) => object);

const { matchConditions, mutations } = z
  .looseObject({
    matchConditions: z.array(z.object({ name: z.string(), expression: z.string() })),
    mutations: z.array(z.looseObject({ applyConfiguration: z.object({ expression: z.string() }) })),
  })
  .parse(policy?.spec);

/** The condition that keeps the policy from a new Machine, or `registered`. */
function verdict(metadata: object): string {
  const object = celValue({ metadata: { name: 'm', ...metadata } });
  const failing = matchConditions.find(
    ({ expression }) => compile(policyWords, expression, 'bool').value({ object, request: {} }) !== true,
  );
  return failing?.name ?? 'registered';
}

describe('a new Machine', () => {
  it.each<[string, object, string]>([
    ['gets the hook', { labels: { a: 'b' }, annotations: { a: 'b' } }, 'registered'],
    ['without labels and annotations gets it', {}, 'registered'],
    ['of another installation gets it, too', { annotations: { [hookOf('blue')]: hookOwner } }, 'registered'],
    ['that is released does not', { annotations: { [releasedAnnotation]: 'true' } }, 'not-released'],
    ['that has a hook of that name keeps it', { annotations: { [hookOf('')]: 'me' } }, 'without-the-hook'],
    ['of a control plane does not', { labels: { 'cluster.x-k8s.io/control-plane': '' } }, 'no-control-plane'],
    ['of a MachinePool does not', { labels: { 'cluster.x-k8s.io/pool-name': 'p' } }, 'no-machine-pool'],
  ])('%s', (_, metadata, expected) => {
    expect(verdict(metadata)).toBe(expected);
  });
});

it('the hook and the mark have the names that phaseout knows', () => {
  const written = mutations.map(({ applyConfiguration }) => applyConfiguration.expression);
  expect(written).toEqual([
    `Object{metadata: Object.metadata{annotations: { "${hookOf('')}": string(params.data.owner), "${registeredAnnotation}": "1"}}}`,
  ]);
  expect(parameter).toMatchObject({ kind: 'ConfigMap', data: { owner: hookOwner } });
});

it('no mistake of it keeps a Machine from being made', () => {
  expect(policy?.spec).toMatchObject({
    failurePolicy: 'Ignore',
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: ['cluster.x-k8s.io'],
          apiVersions: ['*'],
          operations: ['CREATE'],
          resources: ['machines'],
        },
      ],
    },
  });
  expect(binding?.spec).toEqual({
    policyName: 'beside-registration.phaseout.dev',
    paramRef: {
      name: 'phaseout-registration',
      namespace: 'phaseout',
      parameterNotFoundAction: 'Allow',
    },
  });
});
