import { describe, expect, test } from 'vitest';
import { createProviderApp } from '../../../../infra/local/provider/app.ts';
import type { Cloud } from '../../../../infra/local/provider/cloud.ts';
import { outcomesOf } from './check.ts';
import { type behaving, newCloud, type Provider, type speaking, token } from './providers.ts';

/** A cloud that is seen from outside. */
function watched(
  change: Parameters<typeof behaving>[0] = () => ({}),
  wrap: Parameters<typeof speaking>[0] = (app) => app,
) {
  const clouds: Cloud[] = [];
  const provider: Provider = (clock) => {
    const cloud = newCloud(clock);
    clouds.push(cloud);
    return wrap(createProviderApp({ cloud: { ...cloud, ...change(cloud, clock) }, token }));
  };
  return { provider, left: () => clouds.flatMap((cloud) => cloud.servers()) };
}

describe('servers are not left behind', () => {
  test('by checks that fail', async () => {
    const { provider, left } = watched((cloud) => ({
      create: async (target) => {
        await cloud.create(target);
        return { kind: 'failed', reason: 'CreateError', message: 'but I did' };
      },
    }));
    expect(await outcomesOf(provider)).toMatchObject({ code: 1 });
    expect(left()).toEqual([]);
  });

  test('by creates that should have been refused', async () => {
    const withToken = `Bearer ${token}`;
    const { provider, left } = watched(undefined, (app) => (request) => {
      const isCreate = request.path === '/v1/create';
      return app(isCreate ? { ...request, authorization: withToken } : request);
    });
    const { failed } = await outcomesOf(provider);
    expect(failed).toEqual([
      'a request without a token is answered 401',
      'a request with a wrong token is answered 401',
    ]);
    expect(left()).toEqual([]);
  });

  test('by a run that is interrupted', async () => {
    const { provider, left } = watched();
    const interruption = new AbortController();
    const { code, numbers, results } = await outcomesOf(provider, [], {
      interrupted: interruption.signal,
      whenAsked: () => left().length > 0 && interruption.abort(),
    });
    expect(code).toBe(1);
    expect(numbers).toMatchObject({ conforms: false, failed: 0 });
    expect(results.map((result) => result.check).slice(-4)).toEqual([
      'create makes a server, and it exists',
      'what was created is removed in the end',
      'every request was answered in time',
      'every answer of the contract says that it is application/json',
    ]);
    expect(left()).toEqual([]);
  });

  test('without being named', async () => {
    const { provider, left } = watched(() => ({ delete: async () => ({ kind: 'accepted' }) }));
    const { results } = await outcomesOf(provider, ['--api', 'openshift']);
    expect(left()).toHaveLength(4);
    const last = results.find(({ check: name }) => name === 'what was created is removed in the end');
    expect(last).toMatchObject({ outcome: 'failed', expected: 'no server to be left' });
    for (const { machine } of left()) {
      expect(last?.['answered']).toContain(`Machine ${machine.namespace}/${machine.name} (${machine.uid})`);
    }
  });
});
