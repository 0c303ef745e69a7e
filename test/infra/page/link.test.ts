import { expect, test } from 'vitest';
import { dataPathOf, routeOf } from '../../../infra/page/client/parts/link.ts';

test.each([
  ['/', { kind: 'overview', search: '' }, '/api/overview'],
  ['/?as=rows', { kind: 'overview', search: '?as=rows' }, '/api/overview'],
  ['/plan', { kind: 'plan', search: '' }, '/api/plan'],
  ['/plan?cluster=blue', { kind: 'plan', search: '?cluster=blue' }, '/api/plan?cluster=blue'],
  [
    '/capi/fleet/plan',
    { kind: 'machine', api: 'capi', namespace: 'fleet', name: 'plan' },
    '/api/machines/capi/fleet/plan',
  ],
])('the address %s is that of a view, and of its data', (address, route, data) => {
  expect(routeOf(address)).toEqual(route);
  expect(dataPathOf(routeOf(address))).toBe(data);
});
