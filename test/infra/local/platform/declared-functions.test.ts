import { expect, test } from 'vitest';
import { readDeclaredFunctions } from '../../../../infra/local/platform/declared-functions.ts';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import { openShift } from '../../../../shared/dialects/openshift/index.ts';
import { originalApi } from '../../../../shared/dialects/v1alpha1/index.ts';
import { servedAs } from '../../host/served-as.ts';

const capi = (version: string) => servedAs(clusterApi, version);
const openshift = servedAs(openShift, 'v1beta1');
const v1alpha1 = servedAs(originalApi, 'v1alpha1');

test.each([
  ['Cluster API alone', [capi('v1beta2')], { 'intake-cluster-api': 'cluster.x-k8s.io/v1beta2' }],
  ['its older version', [capi('v1beta1')], { 'intake-cluster-api': 'cluster.x-k8s.io/v1beta1' }],
  [
    'two others',
    [openshift, v1alpha1],
    { 'intake-openshift': 'machine.openshift.io/v1beta1', 'intake-v1alpha1': 'cluster.k8s.io/v1alpha1' },
  ],
])('where there is %s, that and nothing else is watched and taken in', async (_what, served, watched) => {
  const file = await readDeclaredFunctions(served);
  expect(file.apiServerSources.map(({ apiVersion }) => apiVersion)).toEqual(Object.values(watched));
  const intake = file.triggers.filter(({ subscriber }) => subscriber.path === '/intake');
  const chosen = intake.map(({ name, filters = [] }) => [
    name,
    ...filters.flatMap((filter) => ('exact' in filter ? [filter.exact['apiversion']] : [])),
  ]);
  expect(Object.fromEntries(chosen)).toEqual(watched);
  expect(file.triggers.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['sweep-due', 'sweep-all', 'drain', 'finalize']),
  );
});

test('where the configuration names namespaces, each of them is watched and no other', async () => {
  const file = await readDeclaredFunctions([openshift, v1alpha1], ['fleet-a', 'fleet-b']);
  expect(file.apiServerSources.map(({ namespaces }) => namespaces)).toEqual([
    ['fleet-a', 'fleet-b'],
    ['fleet-a', 'fleet-b'],
  ]);
});
