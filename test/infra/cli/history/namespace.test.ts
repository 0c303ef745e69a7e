import { expect, test } from 'vitest';
import { aGuardedCluster } from '../look/guarded.ts';
import { anOutside } from '../outside.ts';
import { aStore, history } from './a-store.ts';

const named = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

/** What is said of this Machine, of which the store of a cluster with the namespace fleet has nothing. */
async function said(machine: string, ...rights: string[]) {
  const [{ endpoint }, { folder }] = await Promise.all([aStore(), anOutside()]);
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'phaseout', namespace: 'phaseout' },
    data: { PHASEOUT_DYNAMODB_ENDPOINT: endpoint },
  };
  const objects = [named('fleet'), named('phaseout'), configMap];
  const may = ['get configmaps', ...rights];
  const { kubeconfig } = await aGuardedCluster(objects, may, { folder, name: 'here' });
  const { code, said: lines } = await history([machine, '--kubeconfig', kubeconfig]);
  expect(code).toBe(1);
  return lines.join('\n');
}

test('history says a namespace that there is not, and one that is near', async () => {
  const text = await said('fleeet/worker-1', 'get list namespaces');
  expect(text).toContain(
    ' has no history of Machine fleeet/worker-1. And there is no Namespace "fleeet". Did you mean fleet?',
  );
});

test.each([
  ['a namespace that there is', 'fleet/worker-1', ['get list namespaces']],
  ['one that may not be read', 'fleeet/worker-1', []],
])('history says nothing of %s', async (_, machine, rights) => {
  expect(await said(machine, ...rights)).not.toContain('amespace');
});
