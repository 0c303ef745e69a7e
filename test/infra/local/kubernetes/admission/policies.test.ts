import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import { aBinding, aPolicy, aRule, aServer, bindings, policies, verdict, wanting } from './stage.ts';

const stored = (resource: string, object: KubeObject) =>
  verdict(() => aServer().cluster.create(resource, object));
const policyWith = (spec: object) => stored(policies, aPolicy(spec));
const rulesWith = (rule: object) => policyWith({ matchConstraints: { resourceRules: [aRule(rule)] } });
const invalidPolicy = (why: string) =>
  `ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: ${why}`;
const invalidBinding = (why: string) =>
  `ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io "b" is invalid: ${why}`;
const unsupported = 'Forbidden: not enforced by the local API server';

describe('a policy', () => {
  it('is stored with what the API server fills in', () => {
    const { cluster } = aServer();
    expect(cluster.create(policies, aPolicy())).toMatchObject({
      metadata: { generation: 1 },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          matchPolicy: 'Equivalent',
          namespaceSelector: {},
          objectSelector: {},
          resourceRules: [{ ...aRule(), scope: '*' }],
        },
      },
    });
  });

  it.each([
    ['parameters', { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }, 'spec.paramKind'],
    [
      'audit annotations',
      { auditAnnotations: [{ key: 'a', valueExpression: "'b'" }] },
      'spec.auditAnnotations',
    ],
  ])('that asks for %s is refused, not half enforced', (_, spec, field) => {
    expect(policyWith(spec)).toBe(invalidPolicy(`${field}: ${unsupported}`));
  });

  it.each([
    [64, /^taken$/],
    [65, /spec\.matchConditions: /],
  ])('may have so many conditions: %i', (count, outcome) => {
    const matchConditions = Array.from({ length: count }, (_, i) => ({ name: `c${i}`, expression: 'true' }));
    expect(policyWith({ matchConditions })).toMatch(outcome);
  });

  it.each<[string, object, string]>([
    [
      'connections',
      { operations: ['UPDATE', 'CONNECT'] },
      'operations[1]: Unsupported value: "CONNECT": supported values: "*", "CREATE", "UPDATE", "DELETE"',
    ],
    [
      'evictions',
      { resources: ['pods/eviction'] },
      'resources[0]: Invalid value: "pods/eviction": of subresources only status is supported here',
    ],
    [
      'all subresources',
      { resources: ['*/*'] },
      'resources[0]: Invalid value: "*/*": of subresources only status is supported here',
    ],
    ['no operations', { operations: [] }, 'operations: Required value'],
    ['no resources', { resources: undefined }, 'resources: Required value'],
  ])('on %s is refused', (_, rule, why) => {
    expect(rulesWith(rule)).toBe(invalidPolicy(`spec.matchConstraints.resourceRules[0].${why}`));
  });

  it.each<[string, string]>([
    ['object.data.color == "red"', 'taken'],
    ['request.dryRun', 'taken'],
    ["'a' in object.data && object.data.all(k, k != 'b')", 'taken'],
    [
      "authorizer.group('').resource('pods').check('get').allowed()",
      `undeclared reference to 'allowed' (in container '')`,
    ],
    ['params.x', `undeclared reference to 'params' (in container '')`],
    ["bytes('a').hex() == ''", `undeclared reference to 'hex' (in container '')`],
    ['cel.bind(a, true, a)', `undeclared reference to 'bind' (in container '')`],
    ["quantity('1') == quantity('1')", `undeclared reference to 'quantity' (in container '')`],
    ['variables.nope', "undefined field 'nope'"],
    ['1 +', 'unexpected token: EOF'],
    ["'a' == 1", `found no matching overload for '_==_' applied to '(string, int)'`],
  ])('%s: %s', (expression, why) => {
    const field = `spec.validations[0].expression: Invalid value: ${JSON.stringify(expression)}`;
    const refusal = invalidPolicy(`${field}: compilation failed: ${why}`);
    expect(stored(policies, wanting(expression))).toBe(why === 'taken' ? why : refusal);
  });

  it.each<[string, object, string]>([
    [
      'validations tell true from false',
      { validations: [{ expression: "'a'" }] },
      'spec.validations[0].expression: Invalid value: "\'a\'": must evaluate to bool but got string',
    ],
    [
      'a field may hold anything, and so is no answer',
      { validations: [{ expression: "object.data['color']" }] },
      'spec.validations[0].expression: Invalid value: "object.data[\'color\']": must evaluate to bool but got dyn',
    ],
    [
      'messages are texts',
      { validations: [{ expression: 'true', messageExpression: '1 + 1' }] },
      'spec.validations[0].messageExpression: Invalid value: "1 + 1": must evaluate to string but got int',
    ],
    [
      'conditions know no variables',
      {
        variables: [{ name: 'a', expression: '1' }],
        matchConditions: [{ name: 'x', expression: 'variables.a == 1' }],
      },
      'spec.matchConditions[0].expression: Invalid value: "variables.a == 1": compilation failed: undefined field \'a\'',
    ],
    [
      'variables know those before them only',
      {
        variables: [
          { name: 'a', expression: 'variables.b' },
          { name: 'b', expression: '1' },
        ],
      },
      'spec.variables[0].expression: Invalid value: "variables.b": compilation failed: undefined field \'b\'',
    ],
    [
      'reasons are those that have a code',
      { validations: [{ expression: 'true', reason: 'NotFound' }] },
      'spec.validations[0].reason: Unsupported value: "NotFound": supported values: "Unauthorized", "Forbidden", "Invalid", "RequestEntityTooLarge"',
    ],
    ['something must be validated', { validations: [] }, 'spec.validations: Required value'],
    ['it must be said of what', { matchConstraints: undefined }, 'spec.matchConstraints: Required value'],
  ])('%s', (_, spec, why) => {
    expect(policyWith(spec)).toBe(invalidPolicy(why));
  });

  it('names all that is wrong at once', () => {
    const validations = [{ expression: '1 +' }, { expression: 'true' }, { expression: 'variables.x' }];
    expect(policyWith({ validations })).toBe(
      invalidPolicy(
        '[spec.validations[0].expression: Invalid value: "1 +": compilation failed: unexpected token: EOF, spec.validations[2].expression: Invalid value: "variables.x": compilation failed: undefined field \'x\']',
      ),
    );
  });

  it('is refused from a dump as well, because it could not be enforced', () => {
    const policy = aPolicy({ paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } });
    expect(verdict(() => aServer().restore(policy))).toBe(invalidPolicy(`spec.paramKind: ${unsupported}`));
  });
});

describe('a binding', () => {
  it.each<[string, object, string]>([
    ['names its policy', { policyName: '' }, 'spec.policyName: Required value'],
    ['says what is to be done', { validationActions: [] }, 'spec.validationActions: Required value'],
    ['takes no parameters', { paramRef: { name: 'x' } }, `spec.paramRef: ${unsupported}`],
    [
      'knows three actions',
      { validationActions: ['Shout'] },
      'spec.validationActions[0]: Unsupported value: "Shout": supported values: "Audit", "Deny", "Warn"',
    ],
    [
      'names none of them twice',
      { validationActions: ['Deny', 'Deny'] },
      'spec.validationActions: Invalid value: ["Deny","Deny"]: must not name an action twice',
    ],
    [
      'either denies or warns',
      { validationActions: ['Deny', 'Warn'] },
      'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    ],
  ])('%s', (_, spec, why) => {
    expect(stored(bindings, aBinding(spec))).toBe(invalidBinding(why));
  });

  it('may narrow its policy, and is stored with what the API server fills in', () => {
    const { cluster } = aServer();
    const binding = aBinding({ matchResources: { objectSelector: { matchLabels: { a: 'b' } } } });
    expect(cluster.create(bindings, binding).spec).toEqual({
      policyName: 'p',
      validationActions: ['Deny'],
      matchResources: {
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: { matchLabels: { a: 'b' } },
      },
    });
  });
});
