import { describe, expect, test } from 'vitest';
import { nodes } from '../../../shared/kubernetes/resources.ts';
import { configMap, configMaps, created, type Given, namespace } from './under-test.ts';

export function writing(given: Given): void {
  describe('writing', () => {
    test('a merge patch is written, and says what came of it', async () => {
      await created(given().kubernetes, configMaps, configMap('patched'));
      const patch = { data: { a: '1' } };
      expect(
        await given().kubernetes.mergePatch(configMaps, { namespace, name: 'patched' }, patch),
      ).toMatchObject({
        kind: 'written',
        object: { metadata: { name: 'patched' }, data: { a: '1' } },
      });
    });

    test('a merge patch with an old resourceVersion is a conflict', async () => {
      const { metadata } = await created(given().kubernetes, configMaps, configMap('raced'));
      const key = { namespace, name: 'raced' };
      await given().kubernetes.mergePatch(configMaps, key, { data: { a: '1' } });
      const patch = { metadata: { resourceVersion: metadata.resourceVersion }, data: { a: '2' } };
      expect(await given().kubernetes.mergePatch(configMaps, key, patch)).toEqual({
        kind: 'conflict',
        message: expect.stringContaining('the object has been modified'),
      });
    });

    test('a merge patch of the status leaves the rest alone', async () => {
      given().seed('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'status-only' } });
      const patch = { status: { phase: 'Running' }, spec: { unschedulable: true } };
      const outcome = await given().kubernetes.mergePatch(nodes, { name: 'status-only' }, patch, 'status');
      expect(outcome).toMatchObject({ kind: 'written', object: { status: { phase: 'Running' } } });
      const read = await given().kubernetes.get(nodes, { name: 'status-only' });
      expect(read?.['spec']).not.toMatchObject({ unschedulable: true });
    });

    test('a patch of what is not there: gone', async () => {
      const key = { namespace, name: 'never' };
      expect(await given().kubernetes.mergePatch(configMaps, key, {})).toEqual({ kind: 'gone' });
      expect(await given().kubernetes.jsonPatch(configMaps, key, [])).toEqual({ kind: 'gone' });
    });

    test('a JSON patch takes away one finalizer only while its test holds', async () => {
      await created(
        given().kubernetes,
        configMaps,
        configMap('held', { finalizers: ['example.com/a', 'example.com/b'] }),
      );
      const key = { namespace, name: 'held' };
      const removeFirst = (finalizer: string) =>
        given().kubernetes.jsonPatch(configMaps, key, [
          { op: 'test', path: '/metadata/finalizers/0', value: finalizer },
          { op: 'remove', path: '/metadata/finalizers/0' },
        ]);
      expect(await removeFirst('example.com/b')).toMatchObject({ kind: 'conflict' });
      expect(await removeFirst('example.com/a')).toMatchObject({
        kind: 'written',
        object: { metadata: { finalizers: ['example.com/b'] } },
      });
    });

    test('creating what exists is a conflict', async () => {
      await created(given().kubernetes, configMaps, configMap('twice'));
      expect(await given().kubernetes.create(configMaps, configMap('twice'))).toEqual({
        kind: 'conflict',
        message: 'configmaps "twice" already exists',
      });
    });

    test('creating in a missing namespace is refused', async () => {
      const object = { ...configMap('a'), metadata: { name: 'a', namespace: 'no-such-namespace' } };
      expect(await given().kubernetes.create(configMaps, object)).toEqual({
        kind: 'refused',
        code: 404,
        message: 'namespaces "no-such-namespace" not found',
      });
    });

    test('what the API refuses carries its code and message', async () => {
      await created(given().kubernetes, configMaps, configMap('refused'));
      const patch = { metadata: { name: 'other' } };
      expect(await given().kubernetes.mergePatch(configMaps, { namespace, name: 'refused' }, patch)).toEqual({
        kind: 'refused',
        code: 400,
        message: 'the name of the object (other) does not match the name on the URL (refused)',
      });
    });
  });
}
