import { expect, test } from 'vitest';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { servedResource } from '../../../shared/read/snapshot-sources.ts';
import { FakeCluster } from '../../builders/fake-cluster.ts';

const ref = { group: 'infra.example', kind: 'Server', namespace: 'default', name: 'm-1' };

/** An API that serves these versions, the preferred one first. */
function serving(...versions: string[]): FakeCluster {
  return Object.assign(new FakeCluster([]), {
    async discover(group: string, _kind: string, version = versions[0]) {
      return version !== undefined && versions.includes(version)
        ? { group, version, plural: 'servers' }
        : undefined;
    },
  });
}

test.each<[string, string | undefined, string[], string]>([
  ['in the version that refers to it', 'v1', ['v2', 'v1'], 'v1'],
  ['in the preferred version where that one was given up', 'v1alpha3', ['v2', 'v1'], 'v2'],
  ['in the preferred version where none is named', undefined, ['v2', 'v1'], 'v2'],
])('an object is served %s', async (_where, version, versions, found) => {
  const wanted = version === undefined ? ref : { ...ref, version };
  expect(await servedResource(serving(...versions), wanted)).toEqual({
    group: 'infra.example',
    version: found,
    plural: 'servers',
  });
});

test.each(['v1', undefined])('where no version is served nothing can be said of it (%s)', async (version) => {
  const wanted = version === undefined ? ref : { ...ref, version };
  await expect(servedResource(serving(), wanted)).rejects.toThrow(Unavailable);
});
