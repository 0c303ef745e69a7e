import { createServer, type IncomingHttpHeaders } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../infra/host/open-store.ts';
import { listenLocally } from '../../../infra/local/listen.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { silent as log } from '../../../shared/runtime/log.ts';
import { StoreUnavailable } from '../../../shared/store/port.ts';

/** What an engine that is not AWS is shown, by a process with this environment. */
async function shown(env: Readonly<Record<string, string>>) {
  const seen: IncomingHttpHeaders[] = [];
  const engine = createServer((request, response) => {
    seen.push(request.headers);
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{"Items":[],"Count":0}');
  });
  onTestFinished(() => engine.close().closeAllConnections());
  const config = readConfig({ PHASEOUT_DYNAMODB_ENDPOINT: await listenLocally(engine) });
  const store = openStore(config, { env, clock, log });
  await store.answer();
  store.close();
  const [key, , region] = /Credential=([^,]+)/.exec(seen[0]?.authorization ?? '')?.[1]?.split('/') ?? [];
  return { key, region, token: seen[0]?.['x-amz-security-token'] };
}

const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };

test.each<[string, Record<string, string>, object]>([
  ['made-up keys where there are none', {}, { key: 'local', region: 'us-east-1' }],
  ['made-up keys where only half of them are there', { AWS_ACCESS_KEY_ID: 'key' }, { key: 'local' }],
  [
    'the keys that are given',
    { ...keys, AWS_REGION: 'eu-central-1' },
    { key: 'key', region: 'eu-central-1' },
  ],
  [
    'made-up keys where those that are there are empty',
    { ...keys, AWS_SECRET_ACCESS_KEY: '' },
    { key: 'local' },
  ],
  ['a region where the one that is there is empty', { ...keys, AWS_REGION: '' }, { region: 'us-east-1' }],
  ['their token, too', { ...keys, AWS_SESSION_TOKEN: 'session' }, { key: 'key', token: 'session' }],
])('an engine is shown %s', async (_what, env, expected) => {
  expect(await shown(env)).toMatchObject(expected);
});

test('while the table cannot be reached the store answers without it, and says that it does', async () => {
  const config = readConfig({ PHASEOUT_DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' });
  const opened = openStore(config, { env: {}, clock, log });
  expect(await opened.store.due(0, 1)).toEqual([]);
  expect(opened.store.isAvailable?.()).toBe(false);
  await expect(opened.answer()).rejects.toThrow(StoreUnavailable);
  opened.close();
});
