import { expect, test } from 'vitest';
import { createStoreClient } from '../../../../shared/adapters/dynamodb/client.ts';

const local = 'http://127.0.0.1:8000';

test.each([local, 'http://amazonaws.com.example:8000'])(
  'an engine at %s, which is not AWS, gets credentials made up, so that none are looked for',
  async (endpoint) => {
    const { config } = createStoreClient({ endpoint });
    expect(await config.credentials()).toMatchObject({ accessKeyId: 'local', secretAccessKey: 'local' });
    expect(await config.region()).toBe('us-east-1');
  },
);

test('region and credentials given are the ones used, wherever the endpoint is', async () => {
  const given = { region: 'eu-central-1', accessKeyId: 'key', secretAccessKey: 'secret' };
  for (const endpoint of [local, 'https://dynamodb.eu-central-1.amazonaws.com']) {
    const { config } = createStoreClient({ ...given, endpoint });
    expect(await config.credentials()).toMatchObject({ accessKeyId: 'key', secretAccessKey: 'secret' });
    expect(await config.region()).toBe('eu-central-1');
  }
});

test.each([
  [
    'a named endpoint of AWS itself',
    { endpoint: 'https://vpce-1.dynamodb.eu-central-1.vpce.amazonaws.com', region: 'eu-central-1' },
  ],
  ['an engine for which there are credentials to find', { endpoint: local, hasCredentials: true }],
])('%s gets no made-up credentials', async (_what, options) => {
  const { config } = createStoreClient(options);
  const found = await config.credentials().catch(() => undefined);
  expect(found?.accessKeyId).not.toBe('local');
});

test('one failed attempt is repeated once', async () => {
  expect(await createStoreClient({ endpoint: local }).config.maxAttempts()).toBe(2);
});
