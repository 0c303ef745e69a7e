import { afterEach, describe, expect, it } from 'vitest';
import { aDefinition, aPlatform, type Platform } from '../platform.ts';

const inShop = (name: string, rest = {}) => ({ metadata: { name, namespace: 'shop', ...rest } });

describe('the namespace controller', () => {
  let platform: Platform;
  afterEach(() => platform.stop());

  const namespace = () => platform.get('namespaces', 'shop', '');

  function aShop() {
    platform = aPlatform();
    platform.create('namespaces', { metadata: { name: 'shop' } });
  }

  it('gives every namespace its ServiceAccount, and gives it back', async () => {
    aShop();
    await platform.seconds(1);
    expect(platform.get('serviceaccounts', 'default', 'shop')).toBeDefined();
    platform.remove('serviceaccounts', 'default', 'shop');
    await platform.seconds(1);
    expect(platform.get('serviceaccounts', 'default', 'shop')).toBeDefined();
  });

  it('empties a terminating namespace and lets it go', async () => {
    aShop();
    platform.addNode('node-1');
    const kind = aDefinition('cluster.x-k8s.io', 'Machine');
    platform.create('customresourcedefinitions.apiextensions.k8s.io', kind);
    platform.create('configmaps', inShop('settings'));
    platform.create('machines.cluster.x-k8s.io', {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      ...inShop('m'),
    });
    const spec = { nodeName: 'node-1', containers: [{ name: 'c', image: 'img:1' }] };
    platform.create('pods', { ...inShop('web'), spec });
    await platform.seconds(1);
    platform.remove('namespaces', 'shop', '');

    await platform.seconds(0.9);
    expect(namespace()!.status!.conditions).toMatchObject([
      { type: 'NamespaceDeletionDiscoveryFailure', status: 'False' },
      { type: 'NamespaceDeletionGroupVersionParsingFailure', status: 'False' },
      { type: 'NamespaceDeletionContentFailure', status: 'False' },
      {
        type: 'NamespaceContentRemaining',
        status: 'True',
        message: 'Some resources are remaining: pods. has 1 resource instances',
      },
      { type: 'NamespaceFinalizersRemaining', status: 'False', reason: 'ContentHasNoFinalizers' },
    ]);
    await platform.seconds(0.2);
    expect(namespace()).toBeUndefined();
    expect(platform.get('configmaps', 'settings', 'shop')).toBeUndefined();
  });

  it('says which finalizers hold the namespace', async () => {
    aShop();
    for (const name of ['one', 'two'])
      platform.create('configmaps', inShop(name, { finalizers: ['example.com/held'] }));
    await platform.seconds(1);
    platform.remove('namespaces', 'shop', '');
    await platform.seconds(60);
    const messages = namespace()!.status!.conditions!.map(({ message }) => message);
    expect(messages.slice(-2)).toEqual([
      'Some resources are remaining: configmaps. has 2 resource instances',
      'Some content in the namespace has finalizers remaining: example.com/held in 2 resource instances',
    ]);

    for (const name of ['one', 'two']) {
      platform.cluster.patch('configmaps', inShop(name), { metadata: { finalizers: null } });
    }
    await platform.seconds(1);
    expect(namespace()).toBeUndefined();
  });
});
