import { expect, test } from 'vitest';
import { dataPathOf, routeOf } from '../../../infra/page/client/parts/link.ts';

test.each([
  ['/', '', { kind: 'overview' }, '/api/overview'],
  ['/plan', '', { kind: 'plan', query: '' }, '/api/plan'],
  ['/plan', '?cluster=blue', { kind: 'plan', query: '?cluster=blue' }, '/api/plan?cluster=blue'],
  [
    '/capi/fleet/plan',
    '',
    { kind: 'machine', api: 'capi', namespace: 'fleet', name: 'plan' },
    '/api/machines/capi/fleet/plan',
  ],
])('the address %s%s is that of a view, and of its data', (path, query, route, data) => {
  expect(routeOf(path, query)).toEqual(route);
  expect(dataPathOf(routeOf(path, query))).toBe(data);
});
