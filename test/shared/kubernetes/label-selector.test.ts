import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { asksForSomething, parseSelector } from '../../../shared/kubernetes/label-selector.ts';
import type { LabelSelector } from '../../../shared/kubernetes/objects.ts';

function matches(selector: LabelSelector | undefined, labels: Record<string, string>): boolean {
  const parsed = parseSelector(selector, 'spec.selector');
  if (parsed.kind === 'invalid') throw new Error(parsed.errors.join());
  return parsed.matches(labels);
}

const expression = (operator: string, ...values: string[]): LabelSelector => ({
  matchExpressions: [{ key: 'app', operator, values }],
});

test.each<[string, LabelSelector | undefined, Record<string, string>, boolean]>([
  ['an absent selector matches nothing', undefined, {}, false],
  ['an empty selector matches everything', {}, {}, true],
  ['empty lists match everything', { matchLabels: {}, matchExpressions: [] }, { a: 'b' }, true],
  ['matchLabels asks for the exact value', { matchLabels: { app: 'web' } }, { app: 'web' }, true],
  ['matchLabels refuses another value', { matchLabels: { app: 'web' } }, { app: 'Web' }, false],
  ['matchLabels refuses a missing key', { matchLabels: { app: '' } }, {}, false],
  ['matchLabels finds an empty value', { matchLabels: { app: '' } }, { app: '' }, true],
  ['In takes any of its values', expression('In', 'a', 'b'), { app: 'b' }, true],
  ['In refuses a missing key', expression('In', 'a'), {}, false],
  ['NotIn refuses its values', expression('NotIn', 'a'), { app: 'a' }, false],
  ['NotIn matches another value', expression('NotIn', 'a'), { app: 'b' }, true],
  ['NotIn matches a missing key', expression('NotIn', 'a'), {}, true],
  ['Exists asks for the key only', expression('Exists'), { app: '' }, true],
  ['Exists refuses a missing key', expression('Exists'), { other: 'x' }, false],
  ['DoesNotExist matches a missing key', expression('DoesNotExist'), {}, true],
  ['DoesNotExist refuses the key', expression('DoesNotExist'), { app: '' }, false],
  [
    'what every object inherits is no label',
    { matchExpressions: [{ key: 'constructor', operator: 'Exists' }] },
    {},
    false,
  ],
  [
    'everything that is asked for must hold',
    { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
    { app: 'web' },
    false,
  ],
])('%s', (_, selector, labels, expected) => {
  expect(matches(selector, labels)).toBe(expected);
});

test('a selector that is null matches nothing, as an absent one', () => {
  const parsed = parseSelector(null, 'spec.selector');
  expect(parsed.kind === 'valid' && parsed.matches({})).toBe(false);
  expect(parsed.kind).toBe('valid');
});

const name =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const value =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
/** What users wrote, whatever its type says. */
const untrusted = (written: unknown): LabelSelector => JSON.parse(JSON.stringify(written));

const byKey = (key: string): LabelSelector => ({ matchExpressions: [{ key, operator: 'Exists' }] });

test.each<[string, unknown, string]>([
  [
    'an unknown operator',
    expression('Nope'),
    '{"matchExpressions":[{"key":"app","operator":"Nope"}]}: "Nope" is not a valid label selector operator',
  ],
  [
    'In without values',
    expression('In'),
    `{"matchExpressions":[{"key":"app","operator":"In"}]}: values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty`,
  ],
  [
    'NotIn without values',
    { matchExpressions: [{ key: 'app', operator: 'NotIn' }] },
    `{"matchExpressions":[{"key":"app","operator":"NotIn"}]}: values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty`,
  ],
  [
    'Exists with values',
    expression('Exists', 'x'),
    '{"matchExpressions":[{"key":"app","operator":"Exists","values":["x"]}]}: values: Invalid value: ["x"]: values set must be empty for exists and does not exist',
  ],
  [
    'a bad key',
    { matchLabels: { 'a b': 'c' } },
    `{"matchLabels":{"a b":"c"}}: key: Invalid value: "a b": name part ${name}`,
  ],
  [
    'a key of three parts',
    { matchLabels: { 'a/b/c': 'd' } },
    `{"matchLabels":{"a/b/c":"d"}}: key: Invalid value: "a/b/c": a valid label key ${name} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
  ],
  [
    'an empty key',
    byKey(''),
    `{"matchExpressions":[{"key":"","operator":"Exists"}]}: key: Invalid value: "": name part must be non-empty; name part ${name}`,
  ],
  [
    'an empty prefix',
    byKey('/x'),
    '{"matchExpressions":[{"key":"/x","operator":"Exists"}]}: key: Invalid value: "/x": prefix part must be non-empty',
  ],
  [
    'a prefix that is no domain',
    byKey('Example.com/x'),
    `{"matchExpressions":[{"key":"Example.com/x","operator":"Exists"}]}: key: Invalid value: "Example.com/x": prefix part ${subdomain}`,
  ],
  [
    'a bad value',
    { matchLabels: { app: '-x-' } },
    `{"matchLabels":{"app":"-x-"}}: values[0][app]: Invalid value: "-x-": ${value}`,
  ],
  [
    'the second of several values',
    expression('In', 'a', 'b c'),
    `{"matchExpressions":[{"key":"app","operator":"In","values":["a","b c"]}]}: values[1][app]: Invalid value: "b c": ${value}`,
  ],
  [
    'a value that is too long',
    { matchLabels: { app: 'x'.repeat(64) } },
    `{"matchLabels":{"app":"${'x'.repeat(64)}"}}: values[0][app]: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`,
  ],
  [
    'both key and value, together',
    { matchLabels: { 'a b': 'x'.repeat(64) } },
    `{"matchLabels":{"a b":"${'x'.repeat(64)}"}}: [key: Invalid value: "a b": name part ${name}, values[0][a b]: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes]`,
  ],
  [
    'something that is no selector',
    'app=web',
    '"app=web": selector: Invalid input: expected object, received string',
  ],
  [
    'several label values that are numbers',
    { matchLabels: { a: 1, b: 2 } },
    '{"matchLabels":{"a":1,"b":2}}: matchLabels.a: Invalid input: expected string, received number; ' +
      'matchLabels.b: Invalid input: expected string, received number',
  ],
  [
    'a label value that is a number',
    { matchLabels: { a: 1 } },
    '{"matchLabels":{"a":1}}: matchLabels.a: Invalid input: expected string, received number',
  ],
])('%s is an error in the words of the API', (_, selector, expected) => {
  expect(parseSelector(untrusted(selector), 'spec.pods[0].selector')).toEqual({
    kind: 'invalid',
    errors: [`spec.pods[0].selector: Invalid value: ${expected}`],
  });
});

test.each([
  'a',
  'A-1_b.c',
  'x'.repeat(63),
  'example.com/name',
  'a.b-c.d/N',
  `${'a'.repeat(63)}.${'b'.repeat(63)}/x`,
])('the key %s is valid', (key) => {
  expect(parseSelector(byKey(key), 'p').kind).toBe('valid');
});

test('an empty selector asks for nothing, any requirement asks for something', () => {
  expect([undefined, {}, { matchLabels: {} }].map(asksForSomething)).toEqual([false, false, false]);
  expect([{ matchLabels: { a: 'b' } }, expression('DoesNotExist')].map(asksForSomething)).toEqual([
    true,
    true,
  ]);
});

const key = fc.constantFrom('a', 'b', 'c');
const word = fc.constantFrom('1', '2', '3');
const anExpression = fc.oneof(
  fc.record({
    key,
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.array(word, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ key, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
);
const aSelector = fc.record({
  matchLabels: fc.dictionary(key, word),
  matchExpressions: fc.array(anExpression, { maxLength: 3 }),
});

/** A second, dumb way: every possible value of a key, the missing one included, is allowed or not. */
function isAllowed(operator: string, values: readonly string[], present: string | undefined): boolean {
  const everyValue = [undefined, '1', '2', '3'];
  const allowed: Record<string, (string | undefined)[]> = {
    In: everyValue.filter((each) => each !== undefined && values.includes(each)),
    NotIn: everyValue.filter((each) => each === undefined || !values.includes(each)),
    Exists: ['1', '2', '3'],
    DoesNotExist: [undefined],
  };
  return allowed[operator]?.includes(present) ?? false;
}

test('agrees with a list of what each requirement allows', () => {
  fc.assert(
    fc.property(aSelector, fc.dictionary(key, word), (selector, labels) => {
      const equalities = Object.entries(selector.matchLabels).map(([k, v]) =>
        isAllowed('In', [v], labels[k]),
      );
      const others = selector.matchExpressions.map((each) =>
        isAllowed(each.operator, 'values' in each ? each.values : [], labels[each.key]),
      );
      expect(matches(selector, labels)).toBe([...equalities, ...others].every(Boolean));
    }),
  );
});

test('whatever is given, it is either a test or an error, never an exception', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (anything) => {
      const parsed = parseSelector(untrusted(anything), 'p');
      expect(parsed.kind === 'valid' || parsed.errors.length > 0).toBe(true);
    }),
  );
});
