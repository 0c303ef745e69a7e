import { afterEach, describe, expect, it } from 'vitest';
import type { DeleteOptions, KubeObject } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import { aDefinition, aPlatform, aWorkload, meta, type Platform } from '../platform.ts';

describe('the garbage collector', () => {
  let platform: Platform;
  afterEach(() => platform.stop());

  const names = () => platform.list('configmaps').map(({ metadata }) => metadata.name);
  const finalizersOf = (name: string) => platform.get('configmaps', name)!.metadata.finalizers;

  function add(
    name: string,
    owners: KubeObject[] = [],
    { blocks = false, finalizers = [] as string[] } = {},
  ) {
    const ownerReferences = owners.map(({ metadata }) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: metadata.name,
      uid: metadata.uid!,
      ...(blocks && { blockOwnerDeletion: true }),
    }));
    return platform.create('configmaps', { metadata: meta(name, { ownerReferences, finalizers }) });
  }

  function remove(name: string, propagationPolicy: DeleteOptions['propagationPolicy']) {
    platform.cluster.remove(
      'configmaps',
      { metadata: meta(name) },
      { propagationPolicy: propagationPolicy! },
    );
  }

  it('deletes dependents of dependents in the background', async () => {
    platform = aPlatform();
    const owner = add('owner');
    const child = add('child', [owner]);
    add('grandchild', [child]);
    add('stranger');
    await platform.seconds(1);
    remove('owner', 'Background');
    await platform.seconds(1);
    expect(names()).toEqual(['stranger']);
  });

  it('lets the owner wait for blocking dependents in the foreground', async () => {
    platform = aPlatform();
    const owner = add('owner');
    add('blocking', [owner], { blocks: true, finalizers: ['example.com/held'] });
    add('free', [owner]);
    remove('owner', 'Foreground');
    await platform.seconds(1);
    expect(names()).toEqual(['blocking', 'owner']);
    expect(finalizersOf('owner')).toEqual(['foregroundDeletion']);
    expect(platform.get('configmaps', 'blocking')!.metadata.deletionTimestamp).toBeDefined();

    platform.patch('configmaps', 'blocking', { metadata: { finalizers: null } });
    await platform.seconds(1);
    expect(names()).toEqual([]);
  });

  it('goes all the way down in the foreground', async () => {
    platform = aPlatform();
    const owner = add('owner');
    const child = add('child', [owner], { blocks: true });
    add('grandchild', [child], { blocks: true, finalizers: ['example.com/held'] });
    remove('owner', 'Foreground');
    await platform.seconds(1);
    expect(names()).toEqual(['child', 'grandchild', 'owner']);
    expect(finalizersOf('child')).toEqual(['foregroundDeletion']);
    platform.patch('configmaps', 'grandchild', { metadata: { finalizers: null } });
    await platform.seconds(1);
    expect(names()).toEqual([]);
  });

  it('frees dependents of their owner when they are to be orphaned', async () => {
    platform = aPlatform();
    add('child', [add('owner')]);
    remove('owner', 'Orphan');
    await platform.seconds(1);
    expect(names()).toEqual(['child']);
    expect(platform.get('configmaps', 'child')!.metadata.ownerReferences).toBeUndefined();
  });

  it('keeps what another owner still has and drops the dangling reference', async () => {
    platform = aPlatform();
    const [one, other] = [add('one'), add('other')];
    add('shared', [one, other]);
    remove('one', 'Background');
    await platform.seconds(1);
    const { ownerReferences } = platform.get('configmaps', 'shared')!.metadata;
    expect(ownerReferences!.map(({ name }) => name)).toEqual(['other']);
  });

  it('collects what names an owner that never was', async () => {
    platform = aPlatform();
    add('dangling', [{ metadata: { name: 'nope', uid: '00000000-0000-0000-0000-00000000000a' } }]);
    await platform.seconds(1);
    expect(names()).toEqual([]);
  });

  it('collects what names an owner of the right name but another uid', async () => {
    platform = aPlatform();
    add('owner');
    add('child', [{ metadata: { name: 'owner', uid: '00000000-0000-0000-0000-00000000000a' } }]);
    await platform.seconds(1);
    expect(names()).toEqual(['owner']);
  });

  it('leaves alone what has an owner of a kind that is not served', async () => {
    platform = aPlatform();
    const reference = { apiVersion: 'argoproj.io/v1', kind: 'Rollout', name: 'web', uid: 'u-1' };
    platform.create('configmaps', { metadata: meta('child', { ownerReferences: [reference] }) });
    await platform.seconds(60);
    expect(names()).toEqual(['child']);
  });

  it('knows kinds that were defined after it had started', async () => {
    platform = aPlatform();
    const definition = aDefinition('infrastructure.cluster.x-k8s.io', 'LocalMachine');
    platform.create('customresourcedefinitions.apiextensions.k8s.io', definition);
    const resource = 'localmachines.infrastructure.cluster.x-k8s.io';
    const apiVersion = 'infrastructure.cluster.x-k8s.io/v1beta2';
    const owner = platform.create(resource, { apiVersion, kind: 'LocalMachine', metadata: meta('m-1') });
    const reference = { apiVersion, kind: 'LocalMachine', name: 'm-1', uid: owner.metadata.uid! };
    platform.create('configmaps', { metadata: meta('child', { ownerReferences: [reference] }) });
    await platform.seconds(1);
    expect(names()).toEqual(['child']);
    platform.remove(resource, 'm-1');
    await platform.seconds(1);
    expect(names()).toEqual([]);
  });

  it('takes the Pods of a deleted Deployment with it', async () => {
    platform = aPlatform();
    platform.addNode('node-1');
    platform.create('deployments.apps', aWorkload('Deployment', 'web', { replicas: 3 }));
    await platform.seconds(5);
    platform.remove('deployments.apps', 'web');
    await platform.seconds(5);
    expect(platform.pods()).toEqual([]);
    expect(platform.list('replicasets.apps')).toEqual([]);
  });
});
