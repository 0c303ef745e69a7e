import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../../../infra/host/open-store.ts';
import { listenLocally } from '../../../infra/local/kubernetes/server/listen.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { silent as log } from '../../../shared/runtime/log.ts';
import { systemClock as clock } from '../../../shared/time/clock.ts';

/** A server with one JSON answer to every request, in the form of DynamoDB or of a source of credentials. */
async function answering(answer: object, asked: string[] = []): Promise<string> {
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization ?? '');
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  onTestFinished(() => server.close().closeAllConnections());
  return listenLocally(server);
}

/**
 * The keys that a process with this environment shows to an engine, where the SDK finds those of its Pod. The SDK looks
 * in the environment of the process itself, and not in the one given here.
 */
async function keysShown(env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const expires = '2099-01-01T00:00:00Z';
  const given = { AccessKeyId: 'pod', SecretAccessKey: 's', Token: 'session', Expiration: expires };
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${await answering(given)}/v1/credentials`);
  const asked: string[] = [];
  const endpoint = await answering({ Items: [], Count: 0 }, asked);
  const config = readConfig({ PHASEOUT_DYNAMODB_ENDPOINT: endpoint });
  const store = openStore(config, { env, clock, log });
  await store.answer();
  store.close();
  return /Credential=([^/]+)/.exec(asked[0] ?? '')?.[1];
}

// An engine that checks keys would refuse invented ones. Then every deletion would go on without its store.
test.each([
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_PROFILE',
])(
  'an engine that is not AWS is shown the keys that there are where the environment has %s',
  async (name) => {
    expect(await keysShown({ [name]: 'something' })).toBe('pod');
  },
);

test.each<[what: string, env: Record<string, string>]>([
  ['none of them', {}],
  ['one of them that is empty', { AWS_PROFILE: '' }],
])('and made-up ones where it has %s', async (_what, env) => {
  expect(await keysShown(env)).toBe('local');
});
