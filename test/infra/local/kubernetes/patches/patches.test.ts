import { describe, expect, it } from 'vitest';
import { jsonPatch } from '../../../../../infra/local/kubernetes/patches/json-patch.ts';
import { mergePatch, strategicPatch } from '../../../../../infra/local/kubernetes/patches/strategic.ts';

describe('merge patch', () => {
  it.each([
    ['adds a field', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ['removes a field with null', { a: 1, b: 2 }, { b: null }, { a: 1 }],
    ['goes into objects', { a: { b: 1, c: 2 } }, { a: { b: 3 } }, { a: { b: 3, c: 2 } }],
    ['replaces lists', { a: [1, 2] }, { a: [3] }, { a: [3] }],
    ['drops nulls from new objects', {}, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
    ['drops nulls from objects in lists', {}, { a: [{ b: null, c: 1 }] }, { a: [{ c: 1 }] }],
    ['replaces a text by an object', { a: 'x' }, { a: { b: 1 } }, { a: { b: 1 } }],
  ])('%s', (_, target, patch, expected) => {
    expect(mergePatch(target, patch)).toEqual(expected);
  });

  it('leaves its target as it was', () => {
    const target = Object.freeze({ a: Object.freeze({ b: 1 }) });
    expect(mergePatch(target, { a: { c: 2 } })).toEqual({ a: { b: 1, c: 2 } });
    expect(target).toEqual({ a: { b: 1 } });
  });
});

describe('strategic merge patch', () => {
  const ready = { type: 'Ready', status: 'True' };
  it.each([
    [
      'merges conditions by their type, those of the patch first',
      { status: { conditions: [{ type: 'Scheduled', status: 'True' }] } },
      { status: { conditions: [ready] } },
      { status: { conditions: [ready, { type: 'Scheduled', status: 'True' }] } },
    ],
    [
      'changes the item of the same key in its place',
      { status: { conditions: [{ type: 'Scheduled' }, { type: 'Ready', status: 'False', reason: 'R' }] } },
      { status: { conditions: [ready] } },
      { status: { conditions: [{ type: 'Scheduled' }, { type: 'Ready', status: 'True', reason: 'R' }] } },
    ],
    [
      'deletes an item by its key',
      { spec: { containers: [{ name: 'a' }, { name: 'b' }] } },
      { spec: { containers: [{ name: 'a', $patch: 'delete' }] } },
      { spec: { containers: [{ name: 'b' }] } },
    ],
    [
      'replaces a map when told so',
      { metadata: { labels: { a: '1' } } },
      { metadata: { labels: { $patch: 'replace', b: '2' } } },
      { metadata: { labels: { b: '2' } } },
    ],
    [
      'puts new finalizers first',
      { metadata: { finalizers: ['x/a'] } },
      { metadata: { finalizers: ['x/b'] } },
      { metadata: { finalizers: ['x/b', 'x/a'] } },
    ],
    [
      'takes values out of a list of texts',
      { metadata: { finalizers: ['x/a', 'x/b'] } },
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['x/a'] } },
      { metadata: { finalizers: ['x/b'] } },
    ],
  ])('%s', (_, target, patch, expected) => {
    expect(strategicPatch(target, patch)).toEqual(expected);
  });

  it('refuses an item without its key', () => {
    expect(() => strategicPatch({}, { spec: { containers: [{ image: 'i' }] } })).toThrow(
      'map: map[image:i] does not contain declared merge key: name',
    );
  });
});

describe('JSON patch', () => {
  it.each([
    ['replaces a missing key as if it were added', {}, [{ op: 'replace', path: '/a', value: 1 }], { a: 1 }],
    ['finds what is missing equal to null', {}, [{ op: 'test', path: '/a', value: null }], {}],
    ['removes by index', { a: [1, 2] }, [{ op: 'remove', path: '/a/0' }], { a: [2] }],
    ['appends', { a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
  ])('%s', (_, target, patch, expected) => {
    expect(jsonPatch(target, patch)).toEqual(expected);
  });

  it.each([
    ['a test that fails', { a: 1 }, [{ op: 'test', path: '/a', value: 2 }]],
    ['the removal of what is missing', {}, [{ op: 'remove', path: '/a' }]],
  ])('refuses %s', (_, target, patch) => {
    expect(() => jsonPatch(target, patch)).toThrow(
      'the server rejected our request due to an error in our request',
    );
  });
});
