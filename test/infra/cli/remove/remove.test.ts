import { describe, expect, it } from 'vitest';
import { deploy } from '../../../../infra/cli/deploy/deploy.ts';
import { type RemoveOptions, remove } from '../../../../infra/cli/remove/remove.ts';
import { machineDrainRules } from '../../../../infra/local/kubernetes/crds/installed.ts';
import type { KubernetesForTools } from '../../../../shared/adapters/kubernetes/install-client.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { configMap, options, ours, service, someObjects } from '../deploy/installation.ts';
import { aCluster, type Cluster, type ClusterOptions, siteAt } from '../deploy/knative-cluster.ts';
import { aMachine, type MachineOptions, withoutMachines } from '../deploy/machine.ts';

/** As deploy leaves a Namespace that was not there before. */
const madeByDeploy = ({ metadata, ...rest }: KubeObject): KubeObject => ({
  ...rest,
  metadata: { ...metadata, annotations: { 'phaseout.dev/made-by-deploy': 'true' } },
});

const everything = [
  ...someObjects.map((one) => (one.kind === 'Namespace' ? madeByDeploy(one) : one)),
  ours('sources.knative.dev/v1', 'PingSource', 'sweep-due'),
  ours('sources.knative.dev/v1', 'SinkBinding', 'phaseout'),
  ours('v1', 'ServiceAccount', 'phaseout'),
];

async function installed(how: ClusterOptions = {}, objects = everything) {
  const cluster = await aCluster(how);
  for (const object of objects) cluster.apiServer.restore(object);
  return cluster;
}

async function removedFrom(cluster: Cluster, more: Partial<RemoveOptions> = {}) {
  const seen = siteAt(cluster);
  const ended = await remove(seen.site, { namespace: 'phaseout', abandon: false, withData: false, ...more });
  return { ended, ...seen };
}

describe('remove', () => {
  it('takes away what begins something first and the permissions last', async () => {
    const cluster = await installed();
    const { ended, changes, texts } = await removedFrom(cluster);
    expect(ended).toBe('done');
    expect(changes()).toEqual([
      'removed PingSource phaseout/sweep-due',
      'removed ApiServerSource phaseout/machines',
      'removed Trigger phaseout/drain',
      'removed Knative Service phaseout/phaseout',
      'removed SinkBinding phaseout/phaseout',
      'removed Broker phaseout/phaseout',
      'removed ConfigMap phaseout/phaseout',
      'removed ClusterRole phaseout-management',
      'removed ServiceAccount phaseout/phaseout',
      'removed Namespace phaseout',
    ]);
    expect(texts().at(-1)).toBe('9 objects removed');
    const labelSelector = 'app.kubernetes.io/managed-by=phaseout';
    const left = cluster.cluster
      .resources()
      .filter((key) => !key.startsWith('customresourcedefinitions'))
      .flatMap((key) => cluster.cluster.list(key, { labelSelector }));
    expect(left).toEqual([]);
  });

  it('has nothing to do the second time', async () => {
    const cluster = await installed();
    await removedFrom(cluster);
    const { changes, texts } = await removedFrom(cluster);
    expect({ changes: changes(), last: texts().at(-1) }).toEqual({
      changes: [],
      last: 'there was nothing to remove',
    });
  });

  it('leaves a namespace in which somebody keeps something', async () => {
    const cluster = await installed();
    cluster.cluster.create('secrets', { metadata: { name: 'token', namespace: 'phaseout' } });
    const root = { metadata: { name: 'kube-root-ca.crt', namespace: 'phaseout' } };
    cluster.cluster.create('configmaps', root);
    const { texts } = await removedFrom(cluster);
    expect(texts()).toContain('Namespace phaseout stays: it holds Secret token');
    expect(cluster.cluster.get('namespaces', undefined, 'phaseout')).toBeDefined();
  });

  it('leaves a namespace in which there are Machines: they would go with it', async () => {
    const cluster = await installed();
    aMachine(cluster, 'worker-1', { isDeleted: false, namespace: 'phaseout' });
    const { texts } = await removedFrom(cluster);
    expect(texts()).toContain('Namespace phaseout stays: it holds Machine worker-1');
    expect(cluster.cluster.get('namespaces', undefined, 'phaseout')).toBeDefined();
  });

  it.each([
    ['that deploy did not make', { annotations: { 'phaseout.dev/made-by-deploy': null } }],
    ['that is not ours any more', { labels: { 'app.kubernetes.io/managed-by': null } }],
  ])('leaves a namespace %s', async (_, metadata) => {
    const cluster = await installed();
    const { cluster: api } = cluster;
    const namespace = api.get('namespaces', undefined, 'phaseout');
    if (namespace === undefined) throw new Error('no namespace');
    api.patch('namespaces', namespace, { metadata });
    const { changes } = await removedFrom(cluster);
    expect(changes().at(-1)).toBe('removed ServiceAccount phaseout/phaseout');
    expect(api.get('namespaces', undefined, 'phaseout')?.metadata.deletionTimestamp).toBeUndefined();
  });

  it.each<[string, boolean]>([
    ['goes', false],
    ['stays', true],
  ])('a namespace that deploy has labelled %s if it was there before: %s', async (_, wasThere) => {
    const cluster = await aCluster();
    const { cluster: api } = cluster;
    if (wasThere) api.create('namespaces', { metadata: { name: 'phaseout' } });
    await deploy(siteAt(cluster).site, options());
    await deploy(siteAt(cluster).site, options());
    const before = api.get('namespaces', undefined, 'phaseout');
    expect(before?.metadata.labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'phaseout' });
    const { texts } = await removedFrom(cluster);
    expect(texts().includes('Namespace phaseout stays: deploy has not made it')).toBe(wasThere);
    expect(api.get('namespaces', undefined, 'phaseout') !== undefined).toBe(wasThere);
  });

  it('does not touch what is installed in another namespace', async () => {
    const cluster = await installed();
    await expect(removedFrom(cluster, { namespace: 'other' })).rejects.toThrow(
      /^phaseout is installed in namespace phaseout, not other/,
    );
    expect(cluster.cluster.get('services.serving.knative.dev', 'phaseout', 'phaseout')).toBeDefined();
  });
});

describe('while a Machine is being deleted', () => {
  it.each<[string, MachineOptions]>([
    ['with the finalizer', {}],
    ['that was begun', { finalizers: ['other.dev/x'], annotations: { 'phaseout.dev/checkpoint': '{}' } }],
  ])('one %s: it refuses, and names it', async (_, how) => {
    const cluster = await installed();
    aMachine(cluster, 'worker-1', how);
    await expect(removedFrom(cluster)).rejects.toThrow(
      '1 Machine is being deleted, and would wait for ever (--abandon leaves them so):\n  fleet/worker-1',
    );
    expect(cluster.cluster.list('pingsources.sources.knative.dev')).toHaveLength(1);
  });

  it.each<[string, MachineOptions]>([
    ['that lives', { isDeleted: false }],
    ['with a finalizer of others only', { finalizers: ['other.dev/x'] }],
  ])('one %s does not hold it up', async (_, how) => {
    const cluster = await installed();
    aMachine(cluster, 'worker-1', how);
    const { ended, told } = await removedFrom(cluster);
    expect(ended).toBe('done');
    expect(told.filter(({ event }) => event === 'warning')).toEqual([]);
  });

  it.each([
    [{ PHASEOUT_WATCH_FILTER: 'mine' }, { 'cluster.x-k8s.io/watch-filter': 'others' }, false],
    [{ PHASEOUT_WATCH_FILTER: 'mine' }, { 'cluster.x-k8s.io/watch-filter': 'mine' }, true],
    [{ PHASEOUT_NAMESPACES: 'others,more' }, {}, false],
    [{ PHASEOUT_NAMESPACES: 'others,fleet' }, {}, true],
    [{ PHASEOUT_MACHINE_APIS: 'openshift' }, {}, false],
    [{ PHASEOUT_MACHINE_APIS: 'openshift,capi' }, {}, true],
    [{ PHASEOUT_MODE: 'observe' }, {}, false],
    [{ PHASEOUT_MODE: 'capi:replace,v1alpha1:observe' }, {}, true],
  ])('an installation with %j minds a Machine with %j: %s', async (data, labels, minds) => {
    const objects = [...everything.filter(({ kind }) => kind !== 'ConfigMap'), configMap(data)];
    const cluster = await installed({}, objects);
    aMachine(cluster, 'worker-1', { labels });
    const removing = removedFrom(cluster).then(
      () => false,
      () => true,
    );
    expect(await removing).toBe(minds);
  });

  it('there is nothing to refuse where nothing is installed', async () => {
    const cluster = await aCluster();
    aMachine(cluster, 'worker-1');
    expect((await removedFrom(cluster)).texts()).toEqual(['there was nothing to remove']);
  });

  it('is told what is left when it is done nevertheless', async () => {
    const cluster = await installed();
    aMachine(cluster, 'worker-1');
    const { told, ended } = await removedFrom(cluster, { abandon: true });
    expect(ended).toBe('done');
    const warnings = told.flatMap((one) => (one.event === 'warning' ? [one.text] : []));
    expect(warnings).toEqual([
      expect.stringMatching(/^being deleted, and left as they are .*: fleet\/worker-1$/),
    ]);
  });

  it('Machines that could not be listed are not none', async () => {
    const cluster = await installed();
    const { site } = siteAt(cluster);
    const kubernetes = withoutMachines(site.kubernetes);
    const how = { namespace: 'phaseout', abandon: false, withData: false };
    await expect(remove({ ...site, kubernetes }, how)).rejects.toThrow(Unavailable);
    expect(cluster.cluster.list('pingsources.sources.knative.dev')).toHaveLength(1);
  });

  it('nor are those of which it could not be told whether they are served', async () => {
    const cluster = await installed();
    const { site } = siteAt(cluster);
    const kubernetes: KubernetesForTools = {
      ...site.kubernetes,
      discover: (group, kind, version) =>
        kind === 'Machine'
          ? Promise.reject(new Unavailable('no answer'))
          : site.kubernetes.discover(group, kind, version),
    };
    const how = { namespace: 'phaseout', abandon: false, withData: false };
    await expect(remove({ ...site, kubernetes }, how)).rejects.toThrow(Unavailable);
    expect(cluster.cluster.list('pingsources.sources.knative.dev')).toHaveLength(1);
  });
});

describe('living Machines of v1alpha1', () => {
  it('keep their finalizer, and how to go on is told', async () => {
    const cluster = await installed({ machines: 'v1alpha1' });
    cluster.cluster.create('machines.cluster.k8s.io', {
      metadata: { name: 'a', namespace: 'default', finalizers: ['machine.cluster.k8s.io'] },
      spec: { providerSpec: {} },
    });
    const { told } = await removedFrom(cluster);
    const warnings = told.flatMap((one) => (one.event === 'warning' ? [one.text] : []));
    expect(warnings).toEqual([
      expect.stringMatching(
        /^1 living Machine of cluster\.k8s\.io keeps the finalizer machine\.cluster\.k8s\.io:/,
      ),
    ]);
  });
});

describe('what holds data', () => {
  const labels = { 'app.kubernetes.io/managed-by': 'phaseout' };
  const { name } = machineDrainRules().metadata;
  const definition = { ...machineDrainRules(), metadata: { name, labels } };
  const objects = [definition, ...everything, ours('v1', 'PersistentVolumeClaim', 'dynamodb-local')];
  const key = 'customresourcedefinitions.apiextensions.k8s.io';

  it('stays, and that is told', async () => {
    const cluster = await installed({ machines: 'v1alpha1' }, objects);
    const { texts } = await removedFrom(cluster);
    expect(texts().filter((text) => text.includes('stays'))).toEqual([
      'PersistentVolumeClaim phaseout/dynamodb-local stays, with what is in it (--with-data takes it)',
      `CustomResourceDefinition ${name} stays, with what is in it (--with-data takes it)`,
      'Namespace phaseout stays: it holds PersistentVolumeClaim dynamodb-local',
    ]);
  });

  it('goes where that is asked for', async () => {
    const cluster = await installed({ machines: 'v1alpha1' }, objects);
    const { changes } = await removedFrom(cluster, { withData: true });
    expect(changes()).toContain(`removed CustomResourceDefinition ${name}`);
    expect(cluster.cluster.get(key, undefined, name)).toBeUndefined();
    expect(cluster.cluster.list('persistentvolumeclaims')).toEqual([]);
  });

  it('stays where Cluster API has taken it over', async () => {
    const cluster = await installed({ machines: 'v1alpha1' }, [definition, ...everything]);
    const there = cluster.cluster.get(key, undefined, name);
    if (there === undefined) throw new Error('no definition');
    const provider = { 'cluster.x-k8s.io/provider': 'cluster-api' };
    cluster.cluster.patch(key, there, { metadata: { labels: provider } });
    await removedFrom(cluster, { withData: true });
    expect(cluster.cluster.get(key, undefined, name)).toBeDefined();
  });
});

it('what does not go is named, with what holds it', async () => {
  const cluster = await installed();
  const { metadata } = service();
  const finalizers = ['held.dev/x'];
  const held = { ...service(), metadata: { ...metadata, name: 'held', finalizers } };
  cluster.cluster.create('services.serving.knative.dev', held);
  await expect(removedFrom(cluster)).rejects.toThrow(
    'marked for deletion, but still there after a minute:\n  Knative Service phaseout/held, held by held.dev/x',
  );
  expect(cluster.cluster.list('clusterroles.rbac.authorization.k8s.io')).not.toEqual([]);
});

it('what may not be deleted is named, and the permissions stay', async () => {
  const cluster = await installed();
  const { site, changes } = siteAt(cluster);
  site.kubernetes.deleteWithDependents = async () => ({ kind: 'refused', code: 403, message: 'may not' });
  const removing = remove(site, { namespace: 'phaseout', abandon: false, withData: false });
  await expect(removing).rejects.toThrow('PingSource phaseout/sweep-due: may not');
  expect(changes()).toEqual([]);
});

it('nothing more goes once the user has seen enough', async () => {
  const cluster = await installed();
  const { site, changes } = siteAt(cluster, AbortSignal.abort());
  expect(await remove(site, { namespace: 'phaseout', abandon: false, withData: false })).toBe('interrupted');
  expect(changes()).toEqual([]);
});
