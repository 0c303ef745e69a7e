import { describe, expect, test } from 'vitest';
import { selectionIn } from '../../../infra/page/look/selection.ts';
import { queryOf } from '../../../infra/page/server/http.ts';

const asked = (address: string, pageNamespace?: string) =>
  selectionIn(queryOf({ url: address }), pageNamespace);

describe('the address of a plan of many', () => {
  test.each([
    ['/api/plan', {}],
    ['/api/plan?', {}],
    ['/api/plan?namespace=&cluster=+&what=ever', {}],
    ['/api/plan?namespace=fleet', { namespace: 'fleet' }],
    ['/api/plan?cluster=fleet%2Fblue', { cluster: 'fleet/blue' }],
    ['/api/plan?selector=pool%3Da%2Czone!%3Db', { labelSelector: 'pool=a,zone!=b' }],
    ['/api/plan?selector=a?', { problem: expect.stringMatching(/^labels: "a\?" is no requirement such as/) }],
    [
      '/api/plan?machine-set=blue-odd-1&machine-deployment=blue-odd&namespace=fleet',
      { namespace: 'fleet', machineDeployment: 'blue-odd', machineSet: 'blue-odd-1' },
    ],
  ])('%s asks for %j', (address, expected) => {
    const { selection, problem } = { selection: undefined, problem: undefined, ...asked(address) };
    expect(selection ?? { problem }).toEqual(expected);
  });

  test.each([
    ['/api/plan', { selection: { namespace: 'fleet' } }],
    ['/api/plan?namespace=fleet', { selection: { namespace: 'fleet' } }],
    ['/api/plan?namespace=other', { problem: 'this page is about the namespace "fleet" alone' }],
  ])('%s asks a page of one namespace for %j', (address, expected) => {
    expect(asked(address, 'fleet')).toEqual(expected);
  });
});
