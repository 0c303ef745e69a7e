import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { actuatorOf } from '../../../infra/host/actuator.ts';
import { listenLocally } from '../../../infra/local/kubernetes/server/listen.ts';
import { operations } from '../../../shared/actuator/contract.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { ConfigInvalid, readConfig } from '../../../shared/runtime/config.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { anOpenShiftMachine, targetOf } from '../../builders/provider-machines.ts';

const target = targetOf(anOpenShiftMachine());

const aSecret = (asked: string[] = []) => ({
  get: async (_resource: unknown, { namespace, name }: { namespace?: string; name: string }) => {
    asked.push(`${namespace}/${name}`);
    return { metadata: { name }, data: { token: Buffer.from('s3cret\n').toString('base64') } };
  },
});

const actuatorWith = (env: Record<string, string>, management = aSecret()) =>
  actuatorOf(readConfig(env), management, systemClock);

describe('the provider of the configuration', () => {
  test('is asked at its URL, with the token that the Secret has', async () => {
    const heard: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      heard.push(request.url, request.headers.authorization);
      response.setHeader('content-type', 'application/json').end('{"exists":false}');
    });
    onTestFinished(() => void server.close());
    const url = await listenLocally(server);
    const asked: string[] = [];
    const env = { PHASEOUT_ACTUATOR_URL: `${url}/base`, PHASEOUT_ACTUATOR_SECRET: 'vault/token' };
    expect(await actuatorWith(env, aSecret(asked)).exists(target)).toEqual({ kind: 'absent' });
    expect(heard).toEqual(['/base/v1/exists', 'Bearer s3cret']);
    expect(asked).toEqual(['vault/token']);
  });

  test('is waited for as long as is configured', async () => {
    const server = createServer(() => undefined);
    onTestFinished(() => server.close().closeAllConnections());
    const url = await listenLocally(server);
    const env = { PHASEOUT_ACTUATOR_URL: url, PHASEOUT_ACTUATOR_TIMEOUT_SECONDS: '1' };
    await expect(actuatorWith(env).exists(target)).rejects.toThrow('no answer within 1 s');
  });

  test('is nobody without a URL: then nothing is known of any server', async () => {
    const actuator = actuatorWith({});
    for (const operation of operations) {
      const why = await actuator[operation](target).catch((error: unknown) => error);
      expect(why).toBeInstanceOf(Unavailable);
      expect(why).toMatchObject({ message: expect.stringContaining('no provider is configured') });
    }
  });

  test.each([
    ['http://user:pass@provider', 'PHASEOUT_ACTUATOR_URL must not name a user or a password'],
    ['http://provider?key=1', 'PHASEOUT_ACTUATOR_URL: the URL of the provider must have no user'],
  ])('is refused at once when its URL has what would be told to everybody: %s', (url, why) => {
    const wrong = { PHASEOUT_ACTUATOR_URL: url };
    expect(() => actuatorWith(wrong)).toThrow(ConfigInvalid);
    expect(() => actuatorWith(wrong)).toThrow(why);
  });
});
