import { describe, expect, test } from 'vitest';
import { aServer, budgets, configMap, configMaps, machines, pods } from './stage.ts';

const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const asTable = 'application/json;as=Table;g=meta.k8s.io;v=v1';

/** The last line of a watch that tells first of all that there is. */
function bookmark(path: string, accept?: string) {
  const lines: string[] = [];
  const query = {
    watch: 'true',
    allowWatchBookmarks: 'true',
    sendInitialEvents: 'true',
    resourceVersionMatch: 'NotOlderThan',
  };
  const headers = accept === undefined ? {} : { accept };
  const { stream } = aServer().server.respond({ method: 'GET', path, query, headers });
  stream?.read(
    (line) => lines.push(line),
    () => undefined,
  );
  stream?.close();
  return JSON.parse(lines.at(-1) ?? 'null');
}

const told = {
  metadata: {
    resourceVersion: expect.stringMatching(/^\d+$/),
    annotations: { 'k8s.io/initial-events-end': 'true' },
  },
};

describe('a bookmark', () => {
  test.each<[kind: string, path: string, object: object]>([
    ['ConfigMap', configMaps, { apiVersion: 'v1' }],
    ['Machine', machines, { apiVersion: 'cluster.x-k8s.io/v1beta2' }],
    ['Pod', pods, { apiVersion: 'v1', spec: { containers: null }, status: {} }],
    [
      'PodDisruptionBudget',
      budgets,
      {
        apiVersion: 'policy/v1',
        spec: {},
        status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
      },
    ],
    [
      'VolumeAttachment',
      '/apis/storage.k8s.io/v1/volumeattachments',
      {
        apiVersion: 'storage.k8s.io/v1',
        spec: { attacher: '', source: {}, nodeName: '' },
        status: { attached: false },
      },
    ],
  ])('of a %s is one of which nothing is said', (kind, path, object) => {
    expect(bookmark(path)).toEqual({ type: 'BOOKMARK', object: { kind, ...object, ...told } });
  });

  test('of a Node says which parts its status has', () => {
    const { object } = bookmark('/api/v1/nodes');
    expect(object).toMatchObject({ spec: {}, status: { daemonEndpoints: {}, nodeInfo: { machineID: '' } } });
  });

  test('has the shape that is asked for', () => {
    expect(bookmark(pods, metadataOnly).object).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      ...told,
    });
    for (const path of [pods, configMaps, machines, budgets, '/api/v1/nodes'])
      expect(bookmark(path, asTable).object).toMatchObject({ kind: 'Table' });
  });
});

function select(fieldSelector: string) {
  const { ask } = aServer();
  for (const name of ['a', 'b']) ask('POST', configMaps, configMap(name));
  const { status, body } = ask('GET', configMaps, undefined, { query: { fieldSelector } });
  return [status, body.message ?? body.items.map((one: { metadata: object }) => one.metadata)];
}

describe('a field selector', () => {
  test.each([
    ['metadata.name=a\\,b', []],
    ['metadata.name=a,metadata.namespace=default', [expect.objectContaining({ name: 'a' })]],
    ['metadata.name!=a\\=', [expect.anything(), expect.anything()]],
    ['metadata.name=\\\\', []],
  ])('%s is understood', (selector, found) => {
    expect(select(selector)).toEqual([200, found]);
  });

  test.each([
    ['metadata.name=a=b', 'unescaped character in value: 61'],
    ['metadata.name=\\a', 'invalid escape sequence: \\a'],
    ['metadata.name=a\\', 'invalid escape sequence: \\'],
  ])('%s is not', (selector, why) => {
    expect(select(selector)).toEqual([400, `invalid field selector: ${why}`]);
  });
});
