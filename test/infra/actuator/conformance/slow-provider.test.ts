import { expect, test } from 'vitest';
import type { Instant } from '../../../../shared/time/clock.ts';
import { check, outcomesOf, usual } from './check.ts';
import { behaving, speaking } from './providers.ts';

// Checks that come after one that was too late wait for 30 s, and servers need a minute to go.
test('what was made is waited for in the end as long as ever, though a check was too late', async () => {
  let deletedAt: Instant | undefined;
  const slowAtFirst = behaving((cloud, clock) => ({
    delete: (target) => {
      deletedAt ??= clock.now();
      return cloud.delete(target);
    },
    exists: async (target) =>
      deletedAt !== undefined && clock.now() < deletedAt + 610_000
        ? { kind: 'exists' }
        : await cloud.exists(target),
  }));
  const { results, failed } = await outcomesOf(slowAtFirst, ['--api', 'openshift']);
  expect(failed).toContain('the server is gone in the end');
  const last = results.find(({ check: name }) => name === 'what was created is removed in the end');
  expect(last).toMatchObject({ outcome: 'passed' });
});

test('of a long answer the beginning is shown', async () => {
  const talkative = speaking(
    (app) => async (request) =>
      request.path === '/v1/exists' ? { status: 301, headers: {}, body: 'x'.repeat(2_000) } : app(request),
  );
  const { stdout } = await check(talkative, usual);
  expect(stdout).toContain(`answered: /v1/exists: 301 ${'x'.repeat(297)}...\n`);
});
