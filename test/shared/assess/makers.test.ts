import { describe, expect, it } from 'vitest';
import { type TopMaker, topMakerOf } from '../../../shared/assess/makers.ts';
import type { Key, Resource, Side } from '../../../shared/kubernetes/client.ts';
import { Unread } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { bare, pod } from '../../builders/pods.ts';

const owned = (name: string, kind: string, apiVersion = 'apps/v1'): KubeObject => ({
  metadata: {
    name: 'x',
    namespace: 'shop',
    ownerReferences: [{ apiVersion, kind, name, uid: `uid-${name}`, controller: true }],
  },
});

const alone: KubeObject = { metadata: { name: 'x', namespace: 'shop' } };

const reading = (objects: Readonly<Record<string, KubeObject | 'unread'>>) => ({
  get: async (_side: Side, { plural }: Resource, { namespace, name }: Key) => {
    const found = objects[`${plural} ${namespace}/${name}`];
    if (found === 'unread') throw new Unread('forbidden');
    return found;
  },
});

describe('what people change to change a Pod', () => {
  it.each<[string, Readonly<Record<string, KubeObject | 'unread'>>, TopMaker]>([
    [
      'is the Deployment of its ReplicaSet',
      { 'replicasets shop/web': owned('shop', 'Deployment'), 'deployments shop/shop': alone },
      { kind: 'Deployment', name: 'shop/shop' },
    ],
    [
      'is what an operator makes Deployments from',
      {
        'replicasets shop/web': owned('shop', 'Deployment'),
        'deployments shop/shop': owned('all', 'Shop', 'example.com/v1'),
      },
      { kind: 'Shop', name: 'shop/all' },
    ],
    [
      'is a ReplicaSet that nothing makes',
      { 'replicasets shop/web': alone },
      { kind: 'ReplicaSet', name: 'shop/web' },
    ],
    ['is a ReplicaSet that has gone meanwhile', {}, { kind: 'ReplicaSet', name: 'shop/web' }],
    [
      'is unknown beyond what was not read',
      { 'replicasets shop/web': 'unread' },
      { kind: 'ReplicaSet', name: 'shop/web', unread: 'ReplicaSet shop/web' },
    ],
    [
      'is unknown beyond a Deployment that was not read',
      { 'replicasets shop/web': owned('shop', 'Deployment'), 'deployments shop/shop': 'unread' },
      { kind: 'Deployment', name: 'shop/shop', unread: 'Deployment shop/shop' },
    ],
  ])('%s', async (_sentence, objects, maker) => {
    expect(await topMakerOf(reading(objects), pod('shop/web-1'))).toEqual(maker);
  });

  it('is a StatefulSet, without a look at others of its name', async () => {
    const owner = { kind: 'StatefulSet', name: 'db' };
    expect(await topMakerOf(reading({}), pod('shop/db-0', { owner }))).toEqual({
      kind: 'StatefulSet',
      name: 'shop/db',
    });
  });

  it('is what makes it where that is of a kind of its own, which is not read', async () => {
    const owner = { kind: 'Widget', name: 'w', apiVersion: 'example.com/v1' };
    expect(await topMakerOf(reading({}), pod('shop/w-0', { owner }))).toEqual({
      kind: 'Widget',
      name: 'shop/w',
    });
  });

  it('is nothing for a Pod by itself', async () => {
    expect(await topMakerOf(reading({}), bare('shop/alone'))).toBeUndefined();
  });
});
