import { expect, test } from 'vitest';
import { openEmbeddedStore } from '../../../../infra/local/store/direct-client.ts';
import { silent } from '../../../../shared/runtime/log.ts';
import { systemClock } from '../../../../shared/time/clock.ts';

const servers = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'TCPServerWrap').length;

test('an engine whose table cannot be set up serves no longer', async () => {
  const before = servers();
  const tooShort = openEmbeddedStore('x', systemClock, silent);
  await expect(tooShort).rejects.toThrow('TableName must be at least 3 characters long');
  await expect.poll(servers, { timeout: 10_000 }).toBe(before);
});
