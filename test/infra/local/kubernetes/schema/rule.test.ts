import { describe, expect, it } from 'vitest';
import { fields, integer, list } from '../../../../../infra/local/kubernetes/crds/shape.ts';
import { ruleFlaws } from '../../../../../infra/local/kubernetes/schema/rule.ts';
import type { Rule } from '../../../../../infra/local/kubernetes/schema/schema.ts';
import { freeze } from '../../../../../infra/local/kubernetes/server/json.ts';

const flaws = (rule: Rule): string[] =>
  ruleFlaws(fields({ a: list({ ...integer(), 'x-kubernetes-validations': [rule] }) }), 'schema').map(
    ({ field, message }) => `${field}: ${message}`,
  );
const at = 'schema.properties[a].items.x-kubernetes-validations[0]';

describe('a definition', () => {
  it.each<[string, Rule, string[]]>([
    ['what can be evaluated', { rule: 'self > 1 && self != oldSelf' }, []],
    ['an empty rule', { rule: ' ' }, [`${at}.rule: Required value: rule is not specified`]],
    [
      'what is no CEL',
      { rule: 'self >' },
      [`${at}.rule: Invalid value: "self >": compilation failed: unexpected token: EOF`],
    ],
    [
      'what is not known',
      { rule: 'self == other' },
      [
        `${at}.rule: Invalid value: "self == other": compilation failed: undeclared reference to 'other' (in container '')`,
      ],
    ],
    [
      'what cannot be evaluated here',
      { rule: "isURL('a')" },
      [
        `${at}.rule: Invalid value: "isURL('a')": compilation failed: undeclared reference to 'isURL' (in container '')`,
      ],
    ],
    ['a text beside a field, whose type is in the schema', { rule: "['a', self][0] == self" }, []],
    [
      'what is of two types in any schema',
      { rule: "self in [1, 'a']" },
      [
        `${at}.rule: Invalid value: "self in [1, 'a']": compilation failed: expected type 'int' but found 'string'`,
      ],
    ],
    [
      'what gives no answer',
      { rule: "'a'" },
      [`${at}.rule: Invalid value: "'a'": must evaluate to bool but got string`],
    ],
    [
      'a message that is no text',
      { rule: 'true', messageExpression: '1' },
      [`${at}.messageExpression: Invalid value: "1": must evaluate to string but got int`],
    ],
    [
      'an unknown reason',
      { rule: 'true', reason: 'Odd' },
      [
        `${at}.reason: Unsupported value: "Odd": supported values: "FieldValueRequired", "FieldValueForbidden", "FieldValueInvalid", "FieldValueDuplicate"`,
      ],
    ],
  ])('is judged by its rules: %s', (_, rule, expected) => {
    expect(flaws(rule)).toEqual(expected);
  });

  it('is judged again when it is stored again', () => {
    const flawed = freeze({ ...integer(), 'x-kubernetes-validations': [{ rule: ' ' }] });
    expect([1, 2].map(() => ruleFlaws(flawed, 'schema').length)).toEqual([1, 1]);
  });
});
