import { describe, expect, it } from 'vitest';
import {
  aConfigMap,
  aPolicy,
  aServer,
  creation,
  denied,
  policies,
  under,
  verdict,
  wanting,
} from './stage.ts';

const variables = [
  { name: 'text', expression: "'a'" },
  { name: 'texts', expression: "['a']" },
  { name: 'label', expression: 'object.metadata.labels.a' },
  { name: 'flag', expression: 'object.spec.?flag.orValue(false)' },
  { name: 'user', expression: 'request.userInfo' },
];

/** Why the API server refuses a policy with this variable after those above, or `taken`. */
function said(expression: string): string {
  const spec = { variables: [...variables, { name: 'last', expression }] };
  const refusal = verdict(() => aServer().cluster.create(policies, aPolicy(spec)));
  const text = `Invalid value: ${JSON.stringify(expression)}: compilation failed: `;
  return refusal.split(text)[1] ?? refusal;
}

describe('a policy may hold', () => {
  it.each<[string, string]>([
    ['texts beside texts', "{'a': 'b', 'c': 'd'}"],
    ['what is made a text beside a text', "{'a': string(object.data.a), 'b': 'c'}"],
    ['a text that is declared to be anything beside a field', "{'a': dyn('b'), 'c': object.data.c}"],
    ['fields beside fields', '[object.data.a, oldObject.data.a]'],
    ['what the API server knows of a request beside a text', "[request.operation, 'CREATE']"],
    ['what it knows of a namespace beside a text', "[namespaceObject.metadata.labels['a'], 'b']"],
    ['a variable that is a text beside a text', "[variables.text, 'b']"],
    ['items of a variable that is a list of texts beside a text', "variables.texts.map(one, [one, 'b'])"],
    ['a variable of a field beside a field', '[variables.label, object.data.a]'],
    ['an empty list beside a list', "[[], ['a']]"],
    ['a branch that may be anything beside a text', "true ? object.data.a : 'b'"],
    ['an empty branch beside a list', "true ? ['a'] : []"],
    ['whether there is a namespace', 'namespaceObject == null || null != request.userInfo'],
  ])('%s', (_, expression) => {
    expect(said(expression)).toBe('taken');
  });
});

describe('a policy may not hold', () => {
  it.each<[string, string, string]>([
    ['a text after a field', "{'a': object.data.a, 'b': 'c'}", "expected type 'dyn' but found 'string'"],
    ['a field after a text', "{'a': 'b', 'c': object.data.c}", "expected type 'string' but found 'dyn'"],
    ['a number beside a text', "[1, 'a']", "expected type 'int' but found 'string'"],
    ['keys of two types', "{'a': 1, 2: 1}", "expected type 'string' but found 'int'"],
    ['lists of two types', "[['a'], [1]]", "expected type 'list(string)' but found 'list(int)'"],
    [
      'maps of two types',
      "[{'a': object.data.a}, {'a': 'b'}]",
      "expected type 'map(string, dyn)' but found 'map(string, string)'",
    ],
    ['nothing beside a text', "[null, 'a']", "expected type 'null' but found 'string'"],
    [
      'a text where items may be anything',
      "object.data.map(k, [k, 'a'])",
      "expected type 'dyn' but found 'string'",
    ],
    [
      'a field beside a variable',
      '[variables.text, object.data.a]',
      "expected type 'string' but found 'dyn'",
    ],
    [
      'a text beside a variable of a field',
      "[variables.label, 'a']",
      "expected type 'dyn' but found 'string'",
    ],
    [
      'a text beside an object in a variable',
      "[variables.user, 'a']",
      "expected type 'dyn' but found 'string'",
    ],
    [
      'a field beside what is known of a request',
      '[request.operation, object.data.a]',
      "expected type 'string' but found 'dyn'",
    ],
    [
      'branches of two types',
      "true ? 'a' : 1",
      "found no matching overload for '_?_:_' applied to '(bool, string, int)'",
    ],
    [
      'such branches after a field',
      "object.spec.flag ? ['a'] : {'a': 1}",
      "found no matching overload for '_?_:_' applied to '(dyn, list(string), map(string, int))'",
    ],
    [
      'a number in a map added to a text',
      "'a' + {'a': 1}.a",
      "found no matching overload for '_+_' applied to '(string, int)'",
    ],
    ['a text that is less than nothing', "-'a'", "found no matching overload for '-_' applied to '(string)'"],
    [
      'a number among texts',
      "1 in ['a']",
      "found no matching overload for '@in' applied to '(int, list(string))'",
    ],
    ['a field that requests do not have', "request.verb == 'x'", "undefined field 'verb'"],
    ['a field that namespaces do not have', 'namespaceObject.data.a', "undefined field 'data'"],
  ])('%s', (_, expression, why) => {
    expect(said(expression)).toBe(why);
  });
});

it.each<[string, string]>([
  ['a', 'taken'],
  ['b', 'taken'],
  ['c', denied('refused')],
])('what has been taken is evaluated with what the variables hold: %s is %s', (color, outcome) => {
  const policy = wanting("namespaceObject != null && object.data.color in [variables.text, 'b']", {
    variables,
  });
  expect(creation(under(policy), aConfigMap({ color }))).toBe(outcome);
});

it('of a variable that may be anything nothing is true', () => {
  const spec = { variables, validations: [{ expression: 'variables.flag' }] };
  expect(verdict(() => aServer().cluster.create(policies, aPolicy(spec)))).toBe(
    'ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: spec.validations[0].expression: Invalid value: "variables.flag": must evaluate to bool but got dyn',
  );
});

it('the refusal has the code, the reason and the place of one by the API server', () => {
  const expression = "size([object.data.a, 'b']) == 2";
  const response = aServer().respond({
    method: 'POST',
    path: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    query: {},
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(aPolicy({ validations: [{ expression }] })),
  });
  const why = `Invalid value: "size([object.data.a, 'b']) == 2": compilation failed: expected type 'dyn' but found 'string'`;
  const field = 'spec.validations[0].expression';
  expect(response.status).toBe(422);
  expect(JSON.parse(response.body)).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: ${field}: ${why}`,
    reason: 'Invalid',
    details: {
      name: 'p',
      group: 'admissionregistration.k8s.io',
      kind: 'ValidatingAdmissionPolicy',
      causes: [{ reason: 'FieldValueInvalid', message: why, field }],
    },
    code: 422,
  });
});
