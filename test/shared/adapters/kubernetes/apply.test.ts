import { expect, test } from 'vitest';

import { type ApplyOutcome, connectTools } from '../../../../shared/adapters/kubernetes/install-client.ts';
import { loadKubeConfig } from '../../../../shared/adapters/kubernetes/kube-config.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import {
  configMap,
  failure,
  json,
  kubeConfigText,
  type Respond,
  startServer,
  success,
} from './local-server.ts';

const configMaps = { group: '', version: 'v1', plural: 'configmaps' };
const wanted = { ...configMap('a'), data: { k: '1' } };

async function toolsFor(respond: Respond) {
  const server = await startServer(respond);
  const tools = connectTools(loadKubeConfig({ text: kubeConfigText(server.url) }), { clock: systemClock });
  const close = async (): Promise<void> => {
    await server[Symbol.asyncDispose]();
    await tools.close();
  };
  return { ...server, tools, [Symbol.asyncDispose]: close };
}

const reply =
  (code: number, body: unknown): Respond =>
  (_, response) =>
    json(response, code, body);

test('an apply carries the manager, the content type and the whole object', async () => {
  await using talk = await toolsFor(reply(200, { ...wanted, metadata: { name: 'a', resourceVersion: '7' } }));
  await talk.tools.apply(configMaps, wanted, { fieldManager: 'phaseout' });
  await talk.tools.apply(configMaps, wanted, { fieldManager: 'phaseout', force: true, dryRun: true });
  const path = '/api/v1/namespaces/default/configmaps/a';
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  expect(talk.seen).toMatchObject([
    { method: 'PATCH', path, headers, body: wanted, query: { fieldManager: 'phaseout', force: 'false' } },
    { query: { fieldManager: 'phaseout', force: 'true', dryRun: 'All' } },
  ]);
  expect(talk.seen[0]?.query).not.toHaveProperty('dryRun');
});

const conflict = (...causes: object[]) => failure(409, 'Conflict', 'Apply failed', { causes });

test.each<[string, Respond, ApplyOutcome]>([
  ['the object', reply(201, wanted), { kind: 'applied', object: wanted }],
  [
    'fields of others',
    reply(
      409,
      conflict(
        { reason: 'FieldManagerConflict', message: 'conflict with "golden"', field: '.data.k' },
        {
          reason: 'FieldManagerConflict',
          message: 'conflict with "plain" using cluster.x-k8s.io/v1beta2',
          field: '.spec.clusterName',
        },
      ),
    ),
    {
      kind: 'conflict',
      conflicts: [
        { owner: 'golden', field: '.data.k' },
        { owner: 'plain', field: '.spec.clusterName' },
      ],
    },
  ],
  [
    'fields of others among other causes',
    reply(
      409,
      conflict(
        { reason: 'UnexpectedServerResponse', message: 'odd', field: '.data' },
        { reason: 'FieldManagerConflict', message: 'somebody', field: '.data.k' },
      ),
    ),
    { kind: 'conflict', conflicts: [{ owner: 'somebody', field: '.data.k' }] },
  ],
  [
    'an invalid object',
    reply(422, failure(422, 'Invalid', 'data: Invalid value')),
    { kind: 'refused', code: 422, message: 'data: Invalid value' },
  ],
  [
    'a missing namespace',
    reply(404, failure(404, 'NotFound', 'namespaces "default" not found', { kind: 'namespaces' })),
    { kind: 'refused', code: 404, message: 'namespaces "default" not found' },
  ],
])('an apply answered with %s', async (_, respond, outcome) => {
  await using talk = await toolsFor(respond);
  expect(await talk.tools.apply(configMaps, wanted, { fieldManager: 'phaseout' })).toEqual(outcome);
});

test.each<[string, Respond]>([
  ['a write in between', reply(409, failure(409, 'Conflict', 'the object has been modified'))],
  ['a webhook that is down', reply(500, failure(500, 'InternalError', 'failed calling webhook "x"'))],
  ['another object', reply(200, configMap('b'))],
])('an apply answered with %s leaves doubt', async (_, respond) => {
  await using talk = await toolsFor(respond);
  const applied = talk.tools.apply(configMaps, wanted, { fieldManager: 'phaseout' });
  await expect(applied).rejects.toThrow(Unavailable);
});

test('what is deleted takes what it owns along', async () => {
  await using talk = await toolsFor(reply(200, success));
  const key = { namespace: 'default', name: 'a' };
  expect(await talk.tools.deleteWithDependents(configMaps, key, 'u1')).toEqual({ kind: 'gone' });
  expect(talk.seen).toMatchObject([
    { method: 'DELETE', body: { preconditions: { uid: 'u1' }, propagationPolicy: 'Background' } },
  ]);
});
