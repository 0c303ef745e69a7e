import { describe, expect, it } from 'vitest';
import {
  anything,
  fields,
  integer,
  list,
  listBy,
  text,
  texts,
  time,
} from '../../../../../infra/local/kubernetes/crds/shape.ts';
import type { Rule, Schema } from '../../../../../infra/local/kubernetes/schema/schema.ts';
import { refusalsOf } from '../../../../../infra/local/kubernetes/schema/validate.ts';

const ruled = (schema: Schema, ...rules: Rule[]): Schema => ({
  ...schema,
  'x-kubernetes-validations': rules,
});

const part = fields({ 'name!': text(), size: integer() });

/** A schema whose `spec` is under the rules. */
const underRules = (...rules: Rule[]): Schema =>
  fields({
    spec: ruled(
      fields({
        size: integer(),
        ratio: { type: 'number' },
        when: time,
        'dashed-name': text(),
        labels: texts,
        parts: list(part),
        free: anything,
        port: { 'x-kubernetes-int-or-string': true },
      }),
      ...rules,
    ),
  });

/** The errors about the object. */
const said = (schema: Schema, next: object, previous?: object): string[] =>
  refusalsOf(schema, next, previous).map(({ reason, field, message }) => `${reason} ${field}: ${message}`);

const onSpec = (rule: Partial<Rule> & { rule: string }, spec: object, previous?: object): string[] =>
  said(underRules({ message: 'no', ...rule }), { spec }, previous && { spec: previous });

const refused = ['FieldValueInvalid spec: Invalid value: no'];

describe('a rule', () => {
  it.each<[string, string, object, string[]]>([
    [
      'sees numbers as what the schema says they are',
      'self.size > 1 && self.ratio > 1.5',
      { size: 2, ratio: 2 },
      [],
    ],
    ['sees times', "self.when < timestamp('2026-01-02T00:00:00Z')", { when: '2026-01-01T00:00:00Z' }, []],
    [
      'sees the texts of a map',
      "self.labels.all(key, self.labels[key] != 'x')",
      { labels: { a: 'x' } },
      refused,
    ],
    ['says names with dashes in words', "self.dashed__dash__name == 'x'", { 'dashed-name': 'x' }, []],
    [
      'sees what may be a number or a text',
      "type(self.port) == int || self.port == 'http'",
      { port: 80 },
      [],
    ],
    ['does not see fields that no schema declares', 'has(self.free.a)', { free: { a: 1 } }, refused],
    [
      'finds an item in a list',
      'self.parts.indexOf(self.parts[1]) == 1',
      { parts: [{ name: 'a' }, { name: 'b' }] },
      [],
    ],
    ['tells absent fields', '!has(self.size)', {}, []],
  ])('%s', (_, rule, spec, expected) => {
    expect(onSpec({ rule }, spec)).toEqual(expected);
  });

  it('that cannot tell refuses, and says why', () => {
    const why = 'no such key: size evaluating rule: self.size > 1';
    expect(onSpec({ rule: 'self.size > 1', message: '' }, {})).toEqual([
      `FieldValueInvalid spec: Invalid value: ${why}`,
    ]);
  });

  it.each<[string, Partial<Rule>, string]>([
    ['its message', { message: ' too small ' }, 'FieldValueInvalid spec: Invalid value: too small'],
    [
      'itself without one',
      { message: '' },
      'FieldValueInvalid spec: Invalid value: failed rule: self.size > 1',
    ],
    [
      'what it works out',
      { messageExpression: "'it is ' + string(self.size)" },
      'FieldValueInvalid spec: Invalid value: it is 1',
    ],
    [
      'its message when that cannot be worked out',
      { messageExpression: 'string(self.when)' },
      refused[0] ?? '',
    ],
    ['its message when that has two lines', { messageExpression: "'a\\nb'" }, refused[0] ?? ''],
    ['the field it names', { fieldPath: '.size' }, 'FieldValueInvalid spec.size: Invalid value: no'],
    [
      'that something is forbidden',
      { reason: 'FieldValueForbidden' },
      'FieldValueForbidden spec: Forbidden: no',
    ],
    [
      'that something is required',
      { reason: 'FieldValueRequired' },
      'FieldValueRequired spec: Required value: no',
    ],
    [
      'that something is there twice',
      { reason: 'FieldValueDuplicate' },
      'FieldValueDuplicate spec: Duplicate value',
    ],
  ])('says %s', (_, changes, expected) => {
    expect(onSpec({ rule: 'self.size > 1', ...changes }, { size: 1 })).toEqual([expected]);
  });

  it('repeats a value that is neither list nor object', () => {
    const schema = fields({ size: ruled(integer(), { rule: 'self > 1', message: 'too small' }) });
    expect(said(schema, { size: 1 })).toEqual(['FieldValueInvalid size: Invalid value: 1: too small']);
  });

  it('holds at every place its schema is used', () => {
    const size = ruled(integer(), { rule: 'self > 1', message: 'too small' });
    const schema = fields({
      parts: list(fields({ size })),
      sizes: { type: 'object', additionalProperties: size },
    });
    expect(said(schema, { parts: [{ size: 2 }, { size: 1 }], sizes: { a: 1 } })).toEqual([
      'FieldValueInvalid parts[1].size: Invalid value: 1: too small',
      'FieldValueInvalid sizes[a]: Invalid value: 1: too small',
    ]);
  });

  it('at the root sees the name of the object, and nothing else of its metadata', () => {
    const rule = "self.metadata.name != 'a' || has(self.metadata.labels)";
    const schema = ruled(fields({}), { rule, message: 'no' });
    const named = (name: string) => said(schema, { metadata: { name, labels: { a: 'b' } } });
    expect([named('b'), named('a')]).toEqual([[], ['FieldValueInvalid : Invalid value: no']]);
  });

  it('waits until the value is of the right shape', () => {
    const [first, second] = onSpec({ rule: 'false' }, { size: 'x' });
    expect(first).toMatch(/must be of type integer/);
    expect(second).toMatch(/some validation rules were not checked/);
    const small = ruled(fields({ size: integer(3) }), { rule: 'false', message: 'no' });
    expect(said(fields({ spec: small }), { spec: { size: 1 } })).toHaveLength(2);
  });
});

const listed = (...sizes: [string, number][]) => ({
  list: sizes.map(([name, size]) => ({ name, size })),
});

describe('a rule of transitions', () => {
  const grows = { rule: 'self.size >= oldSelf.size' };

  it('has no say where nothing was before', () => {
    expect([onSpec(grows, { size: 1 }), onSpec(grows, { size: 2 }, { size: 1 })]).toEqual([[], []]);
    expect(onSpec(grows, { size: 1 }, { size: 2 })).toEqual(refused);
  });

  it('that can do without has its say there too', () => {
    const rule = { rule: 'oldSelf.hasValue() || self.size == 1', optionalOldSelf: true };
    expect(onSpec(rule, { size: 2 })).toEqual(refused);
    expect(onSpec(rule, { size: 1 })).toEqual([]);
    expect(onSpec(rule, { size: 2 }, { size: 3 })).toEqual([]);
  });

  it('compares items only by their keys, and nothing in what is one value', () => {
    const item = ruled(part, { rule: 'self.size == oldSelf.size', message: 'fixed' });
    const [before, after] = [listed(['a', 1], ['b', 2]), listed(['b', 3], ['c', 1])];
    expect(said(fields({ list: listBy('name', item) }), after, before)).toEqual([
      'FieldValueInvalid list[0]: Invalid value: fixed',
    ]);
    expect(said(fields({ list: list(item) }), after, before)).toEqual([]);
    const whole = { ...fields({ item }), 'x-kubernetes-map-type': 'atomic' } as const;
    expect(said(whole, { item: after.list[0] }, { item: before.list[1] })).toEqual([]);
  });
});

it('what an update leaves as it was is let be', () => {
  const rule = { rule: 'self.size > 1' };
  expect(onSpec(rule, { size: 1 }, { size: 1 })).toEqual([]);
  expect(onSpec(rule, { size: 0 }, { size: 1 })).toEqual(refused);
});
