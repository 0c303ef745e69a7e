import { expect, it } from 'vitest';
import { type Difference, differences } from '../../../../infra/cli/deploy/differences.ts';

const metadata = { name: 'a', namespace: 'x' };

it.each<[string, object, object, Difference[]]>([
  ['equal objects', { data: { k: '1' } }, { data: { k: '1' } }, []],
  ['a value', { data: { k: '1' } }, { data: { k: '2' } }, [{ field: 'data.k', before: '1', after: '2' }]],
  ['a new field', {}, { spec: { a: 1 } }, [{ field: 'spec', before: undefined, after: { a: 1 } }]],
  ['a field that is gone', { a: 1 }, {}, [{ field: 'a', before: 1, after: undefined }]],
  [
    'a field with dots in its name',
    { data: { 'a.b/c': 1 } },
    { data: { 'a.b/c': 2 } },
    [{ field: 'data["a.b/c"]', before: 1, after: 2 }],
  ],
  [
    'an item of a list of the same length',
    { spec: { list: [{ image: 'a' }, { image: 'b' }] } },
    { spec: { list: [{ image: 'a' }, { image: 'c' }] } },
    [{ field: 'spec.list[1].image', before: 'b', after: 'c' }],
  ],
  [
    'a list that has grown',
    { list: ['a'] },
    { list: ['a', 'b'] },
    [{ field: 'list', before: ['a'], after: ['a', 'b'] }],
  ],
  ['what was seen of it', { status: { ready: false } }, { status: { ready: true } }, []],
  [
    'what the API server keeps',
    { metadata: { ...metadata, generation: 1, resourceVersion: '1', managedFields: [] } },
    { metadata: { ...metadata, generation: 2, resourceVersion: '2', managedFields: [{}] } },
    [],
  ],
  [
    'a label',
    { metadata: { ...metadata, labels: { l: '1' } } },
    { metadata: { ...metadata, labels: { l: '2' } } },
    [{ field: 'metadata.labels.l', before: '1', after: '2' }],
  ],
])('%s', (_, before, after, found) => {
  expect(differences({ metadata, ...before }, { metadata, ...after })).toEqual(found);
});
