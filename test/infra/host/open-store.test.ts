import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../../../infra/host/open-store.ts';
import { listenLocally } from '../../../infra/local/kubernetes/server/listen.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { silent as log } from '../../../shared/runtime/log.ts';
import { StoreUnavailable } from '../../../shared/store/port.ts';
import { systemClock as clock } from '../../../shared/time/clock.ts';

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

/** Hands out credentials to Pods of a cluster, and keeps the requests that it got. */
async function aGiver(type: string, answer: string) {
  const asked: string[] = [];
  const giver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${body}`);
      response.writeHead(200, { 'content-type': type }).end(answer);
    });
  });
  onTestFinished(() => giver.close().closeAllConnections());
  return { asked, url: await listenLocally(giver) };
}

/** The SDK looks for these in the environment of the process itself. */
function inProcess(env: Readonly<Record<string, string>>) {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return env;
}

const expires = '2099-01-01T00:00:00Z';

test('an engine is shown what STS gives for the token of the ServiceAccount', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'phaseout-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, 'token-of-the-pod');
  const given = `<AccessKeyId>role</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>session</SessionToken><Expiration>${expires}</Expiration>`;
  const result = `<AssumeRoleWithWebIdentityResult><Credentials>${given}</Credentials></AssumeRoleWithWebIdentityResult>`;
  const sts = await aGiver(
    'text/xml',
    `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">${result}</AssumeRoleWithWebIdentityResponse>`,
  );
  const env = inProcess({
    AWS_REGION: 'eu-central-1',
    AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/phaseout',
    AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
    AWS_ENDPOINT_URL_STS: sts.url,
  });
  expect(await shown(env)).toEqual({ key: 'role', region: 'eu-central-1', token: 'session' });
  expect(sts.asked).toEqual([expect.stringContaining('WebIdentityToken=token-of-the-pod')]);
});

test('an engine is shown what the cluster itself gives to its Pods', async () => {
  const given = { AccessKeyId: 'pod', SecretAccessKey: 's', Token: 'session', Expiration: expires };
  const giver = await aGiver('application/json', JSON.stringify(given));
  const env = inProcess({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${giver.url}/v1/credentials` });
  expect(await shown(env)).toEqual({ key: 'pod', region: 'us-east-1', token: 'session' });
  expect(giver.asked).toEqual(['GET /v1/credentials ']);
});

test('while the table cannot be reached the store answers without it, and says that it does', async () => {
  const config = readConfig({ PHASEOUT_DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' });
  const opened = openStore(config, { env: {}, clock, log });
  expect(await opened.store.due(0, 1)).toEqual([]);
  expect(opened.store.isAvailable?.()).toBe(false);
  await expect(opened.answer()).rejects.toThrow(StoreUnavailable);
  opened.close();
});
