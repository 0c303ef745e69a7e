import { describe, expect, test } from 'vitest';

import { configMap, configMaps, created, type Given, namespace, uidOf } from './under-test.ts';

export function deleting(given: Given): void {
  describe('deleting', () => {
    test('an object that nothing holds is gone', async () => {
      const object = await created(given().kubernetes, configMaps, configMap('free'));
      const key = { namespace, name: 'free' };
      expect(await given().kubernetes.delete(configMaps, key, uidOf(object))).toEqual({ kind: 'gone' });
      expect(await given().kubernetes.get(configMaps, key)).toBeUndefined();
      expect(await given().kubernetes.delete(configMaps, key, uidOf(object))).toEqual({ kind: 'gone' });
    });

    test('an object with a finalizer is deleting', async () => {
      const object = await created(
        given().kubernetes,
        configMaps,
        configMap('finalized', { finalizers: ['example.com/a'] }),
      );
      const key = { namespace, name: 'finalized' };
      const marked = {
        kind: 'deleting',
        object: { metadata: { name: 'finalized', deletionTimestamp: expect.any(String) } },
      };
      expect(await given().kubernetes.delete(configMaps, key, uidOf(object))).toMatchObject(marked);
      expect(await given().kubernetes.delete(configMaps, key, uidOf(object))).toMatchObject(marked);
    });

    test('an object of the same name with another UID is left alone', async () => {
      const old = await created(given().kubernetes, configMaps, configMap('again'));
      const key = { namespace, name: 'again' };
      await given().kubernetes.delete(configMaps, key, uidOf(old));
      const successor = await created(given().kubernetes, configMaps, configMap('again'));
      expect(await given().kubernetes.delete(configMaps, key, uidOf(old))).toEqual({ kind: 'replaced' });
      expect(await given().kubernetes.get(configMaps, key)).toEqual(successor);
    });
  });
}
