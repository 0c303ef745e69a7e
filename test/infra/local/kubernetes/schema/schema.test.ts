import { describe, expect, it } from 'vitest';
import {
  anything,
  fields,
  filledText,
  integer,
  list,
  listBy,
  oneOf,
  text,
} from '../../../../../infra/local/kubernetes/crds/shape.ts';
import { prune, withDefaults } from '../../../../../infra/local/kubernetes/schema/prune.ts';
import { refusalsOf } from '../../../../../infra/local/kubernetes/schema/validate.ts';
import { freeze } from '../../../../../infra/local/kubernetes/server/json.ts';

const schema = fields({
  'spec!': fields({
    'name!': filledText(5),
    size: { ...integer(1), maximum: 10, default: 3 },
    color: oneOf('red', 'blue'),
    free: anything,
    conditions: listBy('type', fields({ 'type!': text(), status: text() })),
    tags: list(text(), { maxItems: 2 }),
    fixed: {
      ...text(),
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed is fixed' }],
    },
  }),
});

describe('pruning', () => {
  it('drops what the schema does not know, at any depth, and tells where it was', () => {
    const unknown: string[] = [];
    const spec = {
      name: 'a',
      bogus: 1,
      free: { any: [1] },
      conditions: [{ type: 'T', odd: 1 }],
      color: null,
    };
    const pruned = prune(schema, { kind: 'K', metadata: { name: 'm' }, spec }, (path) => unknown.push(path));
    expect(pruned).toEqual({
      kind: 'K',
      metadata: { name: 'm' },
      spec: { name: 'a', free: { any: [1] }, conditions: [{ type: 'T' }] },
    });
    expect(unknown).toEqual(['spec.bogus', 'spec.conditions[0].odd']);
  });

  it('fills in defaults where a field is absent', () => {
    expect(withDefaults(schema, { spec: { name: 'a' } })).toEqual({ spec: { name: 'a', size: 3 } });
    expect(withDefaults(schema, { spec: { name: 'a', size: 5 } })).toEqual({ spec: { name: 'a', size: 5 } });
  });

  it('shares what it leaves as it was, and changes nothing that was given', () => {
    const conditions = [{ type: 'T' }];
    const whole = { spec: { name: 'a', size: 5, conditions } };
    expect(prune(schema, whole, () => {})).toBe(whole);
    expect(withDefaults(schema, whole)).toBe(whole);
    const odd = { spec: { name: 'a', bogus: 1, conditions } };
    expect(prune(schema, odd, () => {})).toHaveProperty('spec.conditions', conditions);
    expect(withDefaults(schema, odd)).toHaveProperty('spec.size', 3);
    expect(odd).toEqual({ spec: { name: 'a', bogus: 1, conditions: [{ type: 'T' }] } });
  });
});

describe('validation', () => {
  it.each([
    ['nothing', {}, 'spec: Required value'],
    ['a missing field', { spec: {} }, 'spec.name: Required value'],
    [
      'too short a text',
      { spec: { name: '' } },
      'spec.name: Invalid value: "": spec.name in body should be at least 1 chars long',
    ],
    ['too long a text', { spec: { name: 'abcdef' } }, 'spec.name: Too long: may not be more than 5 bytes'],
    [
      'another type',
      { spec: { name: 1 } },
      'spec.name: Invalid value: "integer": spec.name in body must be of type string: "integer"',
    ],
    [
      'too large a number',
      { spec: { name: 'a', size: 11 } },
      'spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
    ],
    [
      'an unknown word',
      { spec: { name: 'a', color: 'pink' } },
      'spec.color: Unsupported value: "pink": supported values: "red", "blue"',
    ],
    [
      'too many items',
      { spec: { name: 'a', tags: ['a', 'b', 'c'] } },
      'spec.tags: Too many: 3: must have at most 2 items',
    ],
    [
      'two items of one key',
      { spec: { name: 'a', conditions: [{ type: 'T' }, { type: 'T' }] } },
      'spec.conditions[1]: Duplicate value: {"type":"T"}',
    ],
  ])('refuses %s', (_, object, expected) => {
    const [first] = refusalsOf(schema, object, undefined);
    expect(`${first?.field}: ${first?.message}`).toBe(expected);
  });

  it('judges what cannot change by each schema, and what is wrong every time', () => {
    const stricter = fields({ spec: fields({ name: text(2) }) });
    const fits = freeze({ spec: { name: 'abc' } });
    expect([1, 2].map(() => refusalsOf(schema, fits, undefined).length)).toEqual([0, 0]);
    expect([1, 2].map(() => refusalsOf(stricter, fits, undefined).length)).toEqual([1, 1]);
    expect(refusalsOf(schema, fits, undefined)).toEqual([]);
  });

  it('judges anew what has changed in place', () => {
    const spec = { name: 'abc' };
    expect(refusalsOf(schema, { spec }, undefined)).toEqual([]);
    spec.name = 'abcdef';
    expect(refusalsOf(schema, { spec }, undefined)[0]?.reason).toBe('FieldValueTooLong');
  });

  it('holds a field to what it was when a rule says so', () => {
    const before = { spec: { name: 'a', fixed: 'x' } };
    expect(refusalsOf(schema, before, before)).toEqual([]);
    expect(refusalsOf(schema, { spec: { name: 'a', fixed: 'y' } }, before)).toEqual([
      { reason: 'FieldValueInvalid', message: 'Invalid value: "y": fixed is fixed', field: 'spec.fixed' },
    ]);
  });
});
