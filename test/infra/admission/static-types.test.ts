import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import {
  compile,
  type ExpressionType,
  ExpressionUnusable,
  vocabulary,
} from '../../../infra/local/kubernetes/cel/expression.ts';
import { readManifests } from '../../../infra/terminal/manifests.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';

const words = vocabulary('object', 'oldObject', 'namespaceObject', 'params', 'request', 'variables');

/**
 * The objects that a mutation makes, as maps: `Object.metadata{labels: a}` is `{"labels": a}`. The evaluator here knows
 * no literals of objects; of a map it checks the types.
 */
const asMaps = (text: string): string =>
  text.replaceAll(/\bObject(?:\.\w+)*\{/g, '{').replaceAll(/([{,]\s*)([A-Za-z_]\w*):/g, '$1"$2":');

const refusal = (text: string, type: ExpressionType = 'dyn', variables: readonly string[] = []): string => {
  try {
    compile(words, asMaps(text), type, variables);
    return '';
  } catch (error) {
    if (error instanceof ExpressionUnusable) return error.message;
    throw error;
  }
};

// The words for maps are those of kube-apiserver 1.36. `params`, and what has no schema, is dyn.
describe('an expression is refused as a real API server refuses it', () => {
  it.each([
    [
      'a map with a parameter beside a text: the policy of mode beside until it met a real API server',
      'Object{metadata: Object.metadata{annotations: {"pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout": params.data.owner, "phaseout.dev/registered": "1"}}}',
      "expected type 'dyn' but found 'string'",
    ],
    [
      'a map with a text beside a parameter',
      '{"a": "1", "b": params.data.owner}',
      "expected type 'string' but found 'dyn'",
    ],
    ['a map with a text beside a number', '{"a": "1", "b": 1}', "expected type 'string' but found 'int'"],
    ['a list with a text beside a field', '["a", object.kind]', "expected type 'string' but found 'dyn'"],
    [
      'a list with lists of unlike types',
      '[["a"], [1]]',
      "expected type 'list<string>' but found 'list<int>'",
    ],
    ['a condition with a text and a number', 'object.a == 1 ? "a" : 1', "got 'string' and 'int'"],
    ['a condition with a text and null', 'object.a == 1 ? "a" : null', "got 'string' and 'null'"],
  ])('%s', (_, text, why) => {
    expect(refusal(text)).toContain(why);
  });

  it.each([
    ['a map of texts', '{"a": string(params.data.owner), "b": "1"}'],
    ['a map of what has no schema', '{"a": params.a, "b": object.b}'],
    ['a list that says dyn', '[dyn("a"), object.kind]'],
    ['a condition with a text and a field', 'object.a == 1 ? "a" : object.b'],
    ['an empty list beside one of texts', '[[], ["a"]]'],
  ])('but not %s', (_, text) => {
    expect(refusal(text)).toBe('');
  });
});

const expressions = z
  .array(z.looseObject({ expression: z.string(), name: z.string().optional() }))
  .default([]);
const specSchema = z.looseObject({
  matchConditions: expressions,
  variables: expressions,
  validations: z
    .array(z.looseObject({ expression: z.string(), messageExpression: z.string().optional() }))
    .default([]),
  mutations: z
    .array(z.looseObject({ applyConfiguration: z.looseObject({ expression: z.string() }) }))
    .default([]),
});

function problemsOf({ metadata, spec }: KubeObject): string[] {
  const { matchConditions, variables, validations, mutations } = specSchema.parse(spec);
  const names = variables.flatMap(({ name }) => name ?? []);
  const checked: [string, ExpressionType][] = [
    ...matchConditions.map(({ expression }): [string, ExpressionType] => [expression, 'bool']),
    ...variables.map(({ expression }): [string, ExpressionType] => [expression, 'dyn']),
    ...validations.map(({ expression }): [string, ExpressionType] => [expression, 'bool']),
    ...validations.flatMap(({ messageExpression }): [string, ExpressionType][] =>
      messageExpression === undefined ? [] : [[messageExpression, 'string']],
    ),
    ...mutations.map(({ applyConfiguration }): [string, ExpressionType] => [
      applyConfiguration.expression,
      'dyn',
    ]),
  ];
  expect(checked.length).toBeGreaterThan(0);
  return checked
    .map(([text, type]) => refusal(text, type, names))
    .filter((why) => why !== '')
    .map((why) => `${metadata.name}: ${why}`);
}

const folder = fileURLToPath(new URL('../../../infra/admission/', import.meta.url));
const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml'));

test.each(files)('every expression of %s has types that go together', async (file) => {
  const objects = (await readManifests([folder + file])).map(({ object }) => object);
  const policies = objects.filter(({ kind }) => kind?.endsWith('AdmissionPolicy'));
  expect(policies).toHaveLength(1);
  expect(policies.flatMap(problemsOf)).toEqual([]);
});
