import { expect, test } from 'vitest';
import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';

test.each([
  [
    'of a group',
    { apiVersion: 'cluster.x-k8s.io/v1beta2' },
    { group: 'cluster.x-k8s.io', version: 'v1beta2' },
  ],
  ['of the core kinds, which have no group', { apiVersion: 'v1' }, { group: '', version: 'v1' }],
  ['of an object that does not say', {}, { group: '', version: '' }],
])('the group and version %s', (_what, object, expected) => {
  expect(groupVersionOf(object)).toEqual(expected);
});
