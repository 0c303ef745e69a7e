import { describe, expect, test } from 'vitest';

import type { Resource } from '../../../shared/kubernetes/client.ts';
import { nodes, pods } from '../../../shared/kubernetes/resources.ts';
import { configMap, configMaps, created, type Given, namespace, pod } from './under-test.ts';

export function reading(given: Given): void {
  describe('reading', () => {
    test('an object is read as it was created, with UID and resourceVersion', async () => {
      const object = await created(given().kubernetes, configMaps, {
        ...configMap('read'),
        data: { a: '1' },
      });
      expect(await given().kubernetes.get(configMaps, { namespace, name: 'read' })).toEqual(object);
      expect(object).toMatchObject({
        kind: 'ConfigMap',
        data: { a: '1' },
        metadata: { uid: expect.any(String), resourceVersion: expect.any(String) },
      });
    });

    test.each([
      [configMaps, { namespace, name: 'never' }],
      [configMaps, { namespace: 'no-such-namespace', name: 'never' }],
      [nodes, { name: 'never' }],
    ])('what is not there is undefined: %j %j', async (resource, key) => {
      expect(await given().kubernetes.get(resource, key)).toBeUndefined();
    });

    test.each<[string, Resource]>([
      ['group', { group: 'nope.example.com', version: 'v1', plural: 'things' }],
      ['version', { group: 'cluster.x-k8s.io', version: 'v1alpha9', plural: 'machines' }],
      ['resource', { group: '', version: 'v1', plural: 'things' }],
      ['resource of a known group', { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'things' }],
    ])('an unknown %s says nothing about the object', async (_, resource) => {
      await expect(given().kubernetes.get(resource, { namespace, name: 'a' })).rejects.toThrow('404');
      await expect(given().kubernetes.list(resource, { namespace })).rejects.toThrow('404');
      await expect(given().kubernetes.delete(resource, { namespace, name: 'a' }, 'u')).rejects.toThrow('404');
      await expect(given().kubernetes.mergePatch(resource, { namespace, name: 'a' }, {})).rejects.toThrow(
        '404',
      );
    });

    test('a list has all pages, and every item says what it is', async () => {
      const names = Array.from({ length: 1203 }, (_, n) => `page-${String(n).padStart(4, '0')}`);
      for (const each of names) given().seed('configmaps', configMap(each, { labels: { pages: 'many' } }));
      const { items, resourceVersion } = await given().kubernetes.list(configMaps, {
        labelSelector: 'pages=many',
      });
      expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
      expect(items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
      expect(Number(resourceVersion)).toBeGreaterThan(0);
    });

    test('lists are narrowed by namespace, label and field', async () => {
      given().seed('pods', {
        ...pod('field-a'),
        spec: { nodeName: 'n7', containers: [{ name: 'c', image: 'i' }] },
      });
      given().seed('pods', pod('field-b'));
      const onNode = await given().kubernetes.list(pods, { fieldSelector: 'spec.nodeName=n7' });
      expect(onNode.items.map(({ metadata }) => metadata.name)).toEqual(['field-a']);
      expect((await given().kubernetes.list(pods, { namespace: 'kube-system' })).items).toEqual([]);
    });
  });
}
