import { describe, expect, onTestFinished, test } from 'vitest';
import { createCloud } from '../../../../infra/local/provider/cloud.ts';
import { startProvider } from '../../../../infra/local/provider/serve.ts';
import { anOpenShiftMachine } from '../../../builders/provider-machines.ts';
import { manualClock } from '../../../shared/adapters/kubernetes/manual-clock.ts';

async function aProvider(token?: string) {
  const cloud = createCloud({ clock: manualClock(), random: () => 0.5 });
  const provider = await startProvider({ cloud, ...(token && { token }) });
  onTestFinished(() => provider.close());
  return (path: string, init: RequestInit = {}) =>
    fetch(`${provider.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...init,
    });
}

const body = JSON.stringify({ machine: anOpenShiftMachine(), cluster: null });
const bodyOf = (padding: string) => JSON.stringify({ machine: anOpenShiftMachine(), padding });
const withToken = (authorization: string) => ({
  body,
  headers: { 'content-type': 'application/json', authorization },
});

async function read(response: Response) {
  return { status: response.status, body: await response.json() };
}
const refused = (status: number, message: string) => ({ status, body: { error: { message } } });

describe('the reference provider', () => {
  test.each(['Bearer s3cret', 'bearer s3cret', 'BEARER  s3cret'])(
    'answers whoever has the token: %s',
    async (authorization) => {
      const ask = await aProvider('s3cret');
      expect(await read(await ask('/v1/exists', withToken(authorization)))).toEqual({
        status: 200,
        body: { exists: false },
      });
    },
  );

  test('has only accepted a delete: 202, for the server may go on for a while', async () => {
    const ask = await aProvider();
    expect(await read(await ask('/v1/delete', { body }))).toEqual({ status: 202, body: {} });
  });

  test('answers whatever the query is', async () => {
    const ask = await aProvider();
    expect((await ask('/v1/exists?zone=a', { body })).status).toBe(200);
  });

  test('takes a body of just so many bytes as the contract asks for', async () => {
    const ask = await aProvider();
    const padding = 'x'.repeat(4_194_304 - bodyOf('').length);
    expect((await ask('/v1/exists', { body: bodyOf(padding) })).status).toBe(200);
    expect((await ask('/v1/exists', { body: bodyOf(`${padding}x`) })).status).toBe(413);
  });

  test('breaks off what it is still asked when it is closed', async () => {
    const { promise: isAsked, resolve } = Promise.withResolvers<void>();
    const cloud = createCloud({ clock: manualClock(), random: () => 0.5 });
    const hanging = () => {
      resolve();
      return new Promise<never>(() => undefined);
    };
    const provider = await startProvider({ cloud: { ...cloud, exists: hanging } });
    const headers = { 'content-type': 'application/json' };
    const answer = fetch(`${provider.url}/v1/exists`, { method: 'POST', headers, body }).then(
      () => 'answered',
      () => 'broken off',
    );
    await isAsked;
    await provider.close();
    expect(await answer).toBe('broken off');
  });

  test.each(['', 'Bearer', 'Bearer other', 'Basic s3cret', 's3cret', 'Bearer s3cret more'])(
    'answers 401 to "%s"',
    async (authorization) => {
      const ask = await aProvider('s3cret');
      const response = await ask('/v1/exists', withToken(authorization));
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await read(response)).toEqual(refused(401, 'the token is missing or wrong'));
    },
  );

  test.each<[string, string, RequestInit, ReturnType<typeof refused>]>([
    ['another path', '/v1/reboot', { body }, refused(404, 'there is no /v1/reboot')],
    ['another method', '/v1/exists', { method: 'PUT', body }, refused(405, 'only POST is served')],
    [
      'another type',
      '/v1/exists',
      { body, headers: { 'content-type': 'text/plain' } },
      refused(415, 'the body must be application/json'),
    ],
    ['half a body', '/v1/exists', { body: '{"machine"' }, refused(400, 'the body is no JSON')],
    [
      'no Machine',
      '/v1/exists',
      { body: '{}' },
      refused(400, 'machine: Invalid input: expected object, received undefined'),
    ],
    [
      'a Machine without a UID',
      '/v1/delete',
      { body: JSON.stringify({ machine: anOpenShiftMachine({ uid: '' }) }) },
      refused(400, 'machine.metadata.uid: Too small: expected string to have >=1 characters'),
    ],
    [
      'too much',
      '/v1/exists',
      { body: JSON.stringify({ padding: 'x'.repeat(4_194_304) }) },
      refused(413, 'more than 4194304 bytes'),
    ],
  ])('says what is wrong with %s', async (_, path, init, expected) => {
    const ask = await aProvider();
    expect(await read(await ask(path, init))).toEqual(expected);
  });

  test('names the time to come again in the header as well, in whole seconds', async () => {
    const ask = await aProvider();
    const machine = anOpenShiftMachine({
      annotations: { 'local.phaseout.dev/provider-fails': 'exists=retry/1.5' },
    });
    const response = await ask('/v1/exists', { body: JSON.stringify({ machine }) });
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await read(response)).toEqual({
      status: 503,
      body: { error: { message: 'exists fails, as the Machine asks for', retryAfterSeconds: 1.5 } },
    });
  });
});
