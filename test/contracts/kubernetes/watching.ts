import { describe, expect, test } from 'vitest';

import type { ChangeType } from '../../../shared/kubernetes/client.ts';
import {
  configMap,
  configMaps,
  created,
  type Given,
  type KubernetesUnderTest,
  namespace,
} from './under-test.ts';

interface Seen {
  changes: [ChangeType, string][];
  ended: boolean[];
  stop: () => void;
}

function watched({ kubernetes }: KubernetesUnderTest, resourceVersion: string, labelSelector: string): Seen {
  const seen: Seen = { changes: [], ended: [], stop: () => undefined };
  seen.stop = kubernetes.watch(configMaps, { namespace, labelSelector }, resourceVersion, {
    changed: (type, { metadata }) => seen.changes.push([type, metadata.name]),
    ended: (expired) => seen.ended.push(expired),
  });
  return seen;
}

export function watching(given: Given): void {
  describe('watching', () => {
    test('every change after the resourceVersion is told, in order', async () => {
      const { resourceVersion } = await given().kubernetes.list(configMaps, { namespace });
      const object = await created(
        given().kubernetes,
        configMaps,
        configMap('seen', { labels: { watch: 'me' } }),
      );
      const seen = watched(given(), resourceVersion, 'watch=me');
      await given().kubernetes.mergePatch(configMaps, { namespace, name: 'seen' }, { data: { a: '1' } });
      await created(given().kubernetes, configMaps, configMap('unseen'));
      await given().kubernetes.delete(configMaps, { namespace, name: 'seen' }, object.metadata.uid ?? '');
      await expect
        .poll(() => seen.changes)
        .toEqual([
          ['ADDED', 'seen'],
          ['MODIFIED', 'seen'],
          ['DELETED', 'seen'],
        ]);
      seen.stop();
      expect(seen.ended).toEqual([]);
    });

    test('nothing is told once stopped', async () => {
      const { resourceVersion } = await given().kubernetes.list(configMaps, { namespace });
      const [stopped, going] = [
        watched(given(), resourceVersion, 'stop=me'),
        watched(given(), resourceVersion, 'stop=me'),
      ];
      stopped.stop();
      await created(given().kubernetes, configMaps, configMap('stopped', { labels: { stop: 'me' } }));
      await expect.poll(() => going.changes).toEqual([['ADDED', 'stopped']]);
      going.stop();
      expect([stopped.changes, stopped.ended]).toEqual([[], []]);
    });

    test('a resourceVersion that is too old ends the watch as expired', async () => {
      const { resourceVersion } = await given().kubernetes.list(configMaps, { namespace });
      await created(given().kubernetes, configMaps, configMap('newer'));
      given().compact();
      const seen = watched(given(), resourceVersion, '');
      await expect.poll(() => seen.ended).toEqual([true]);
    });
  });
}
