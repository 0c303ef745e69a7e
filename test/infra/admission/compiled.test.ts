import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { refusalsOf } from './compiled.ts';
import { policyIn } from './verdict.ts';

const folder = new URL('../../../infra/admission/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

const policiesIn = async (file: string) =>
  (await policyIn(file)).filter(({ kind = '' }) => kind.endsWith('AdmissionPolicy'));

it('there are six files of policies', () => {
  expect(files.toSorted()).toEqual([
    'beside-openshift.yaml',
    'beside-pre-terminate.yaml',
    'beside-registration.yaml',
    'beside-rights.yaml',
    'machine-drain-rules.yaml',
    'machine-lifecycle-hooks.yaml',
  ]);
});

it.each(files)('an API server takes all expressions of %s', async (file) => {
  const policies = await policiesIn(file);
  expect(policies.map(({ metadata }) => metadata.name)).toEqual([file.replace('.yaml', '.phaseout.dev')]);
  expect(policies.flatMap(refusalsOf)).toEqual([]);
});

const aMutatingPolicy = (expression: string, spec: object = {}): KubeObject => ({
  kind: 'MutatingAdmissionPolicy',
  metadata: { name: 'p' },
  spec: {
    failurePolicy: 'Ignore',
    reinvocationPolicy: 'Never',
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    matchConstraints: {},
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
    ...spec,
  },
});

const annotating = (annotations: string): string =>
  `Object{metadata: Object.metadata{annotations: ${annotations}}}`;

describe('a mutating policy', () => {
  it.each<[string, string, object?]>([
    ['sets annotations to texts', annotating("{'a': string(params.data.owner), 'b': '1'}")],
    ['sets them to what it was given alone', annotating("{'a': params.data.owner}")],
    [
      'sets fields of different types',
      "Object{metadata: Object.metadata{labels: {}}, spec: Object.spec{n: 1, s: 'a'}}",
    ],
    ['sets nothing on a condition', `'a' in object.spec ? Object{} : ${annotating("{'a': '{,b:}'}")}`],
    ['uses variables', annotating("{'a': variables.a}"), { variables: [{ name: 'a', expression: "'a'" }] }],
    [
      'lists objects',
      'Object{spec: Object.spec{list: object.spec.list.map(i, Object.spec.list{name: i, n: 1})}}',
    ],
  ])('%s', (_, expression, spec) => {
    expect(refusalsOf(aMutatingPolicy(expression, spec))).toEqual([]);
  });

  const beforeItWasMended = `Object{metadata: Object.metadata{annotations: { "pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout": params.data.owner, "phaseout.dev/registered": "1"}}}`;

  it.each<[string, string, string]>([
    [
      'a text beside what it was given',
      beforeItWasMended,
      "compilation failed: expected type 'dyn' but found 'string'",
    ],
    [
      'branches of two types',
      "Object{spec: true ? {'a': 'b'} : ['a']}",
      "compilation failed: found no matching overload for '_?_:_' applied to '(bool, map(string, string), list(string))'",
    ],
    [
      'objects of two types',
      'true ? Object{} : Object.spec{}',
      "compilation failed: found no matching overload for '_?_:_' applied to '(bool, Object, Object.spec)'",
    ],
    ['a part of an object alone', 'Object.metadata{}', 'must evaluate to Object but got Object.metadata'],
    [
      'a map alone',
      "{'metadata': {'a': 'b'}}",
      'must evaluate to Object but got map(string, map(string, string))',
    ],
    [
      'a variable that it does not have',
      annotating("{'a': variables.b}"),
      "compilation failed: undefined field 'b'",
    ],
  ])('may not give %s', (_, expression, why) => {
    expect(refusalsOf(aMutatingPolicy(expression))).toEqual([
      `spec.mutations[0].applyConfiguration.expression: Invalid value: ${JSON.stringify(expression)}: ${why}`,
    ]);
  });

  it('knows no parameters without their kind', () => {
    const policy = aMutatingPolicy(annotating("{'a': params.data.a}"), { paramKind: undefined });
    expect(refusalsOf(policy)).toEqual([
      `spec.mutations[0].applyConfiguration.expression: Invalid value: "Object{metadata: Object.metadata{annotations: {'a': params.data.a}}}": compilation failed: undeclared reference to 'params' (in container '')`,
    ]);
  });
});
