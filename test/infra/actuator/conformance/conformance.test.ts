import { describe, expect, test } from 'vitest';
import { createProviderApp } from '../../../../infra/local/provider/app.ts';
import type { ActuatorTarget } from '../../../../shared/actuator/port.ts';
import { check, outcomesOf, usual } from './check.ts';
import { behaving, newCloud, type Provider, reference, speaking } from './providers.ts';
import { wrongProviders } from './wrong-providers.ts';

describe('the reference provider', () => {
  test('keeps to the contract in every check', async () => {
    expect(await outcomesOf(reference)).toMatchObject({
      code: 0,
      failed: [],
      noted: [],
      skipped: [],
      numbers: { conforms: true, passed: 53, failed: 0, skipped: 0 },
    });
  });

  test.each([
    ['openshift', 32],
    ['v1alpha1', 33],
  ])('can be checked for the Machines of %s alone', async (api, passed) => {
    expect(await outcomesOf(reference, ['--api', api])).toMatchObject({ code: 0, numbers: { passed } });
  });
});

describe('a provider is found out that', () => {
  test.each(wrongProviders)('%s', async (_, provider, firstFailure) => {
    const { code, failed, numbers } = await outcomesOf(provider);
    expect(failed[0]).toBe(firstFailure);
    expect(code).toBe(1);
    expect(numbers).toMatchObject({ conforms: false, failed: failed.length });
  });
});

/** Each question once for each Machine. */
const puttingOff = behaving((cloud) => {
  const asked = new Set<string>();
  const later = { kind: 'retry', afterSeconds: 17, message: 'later' } as const;
  const isFirst = (operation: string, { machine }: ActuatorTarget): boolean => {
    const key = `${operation} ${machine.metadata.uid}`;
    return !asked.has(key) && asked.add(key).has(key);
  };
  return {
    exists: async (target) => (isFirst('exists', target) ? later : cloud.exists(target)),
    create: async (target) => (isFirst('create', target) ? later : cloud.create(target)),
    update: async (target) => (isFirst('update', target) ? later : cloud.update(target)),
    delete: async (target) => (isFirst('delete', target) ? later : cloud.delete(target)),
  };
});

const throttling = speaking((app) => {
  let requests = 0;
  return async (request) => {
    requests += 1;
    if (requests % 2 === 0) return app(request);
    const headers = { 'content-type': 'application/json' };
    return { status: 429, headers, body: '{"error":{"message":"slowly","retryAfterSeconds":1}}' };
  };
});

const openToAll: Provider = (clock) => createProviderApp({ cloud: newCloud(clock) });

describe('a provider of another kind keeps to the contract that', () => {
  test.each<[string, Provider, string[]]>([
    ['puts everything off once', puttingOff, []],
    ['puts every second request off before it looks at it', throttling, []],
    [
      'does not tell identities, and looks at no configuration',
      behaving((cloud) => ({
        create: async ({ machine, cluster }) => {
          const answer = await cloud.create({ machine: { ...machine, spec: {} }, cluster });
          return answer.kind === 'done' ? { kind: 'done', report: {} } : answer;
        },
        update: async () => ({ kind: 'done', report: {} }),
      })),
      [
        '5 creates of one Machine at once make one server',
        'an impossible configuration is refused with InvalidConfiguration',
      ],
    ],
    [
      'names servers in a way of its own',
      behaving((cloud) => ({
        create: async (target) => {
          const answer = await cloud.create(target);
          const providerID = target.machine.metadata.uid ?? '';
          return answer.kind === 'done' ? { kind: 'done', report: { providerID } } : answer;
        },
        update: async () => ({ kind: 'done', report: {} }),
      })),
      ['create makes a server, and it exists'],
    ],
  ])('%s', async (_, provider, notes) => {
    const { code, failed, noted, numbers } = await outcomesOf(provider);
    expect(failed).toEqual([]);
    expect(numbers).toMatchObject({ failed: 0, skipped: 0 });
    expect(code).toBe(0);
    expect([...new Set(noted)]).toEqual(notes);
  });

  test('serves one Machine API only, which is said', async () => {
    const provider = behaving((cloud) => ({
      create: async (target) =>
        target.cluster === undefined
          ? cloud.create(target)
          : { kind: 'failed', reason: 'InvalidConfiguration', message: 'only OpenShift here' },
    }));
    const { code, results, skipped } = await outcomesOf(provider);
    expect(code).toBe(0);
    expect(skipped).toHaveLength(16);
    expect(results).toContainEqual({
      section: 'cluster.k8s.io/v1alpha1',
      check: 'create makes a server, and it exists',
      outcome: 'skipped',
      why: 'the provider refuses our example (give yours with --machine): only OpenShift here',
    });
    const removed = results.filter((result) => result.check === 'what was created is removed in the end');
    expect(removed.map(({ section }) => section)).not.toContain('cluster.k8s.io/v1alpha1');
    const asked = await outcomesOf(provider, ['--api', 'v1alpha1']);
    expect(asked).toMatchObject({ code: 1 });
    expect(asked.failed[0]).toBe('create makes a server, and it exists');
  });

  test('asks for no token', async () => {
    const { code, stdout } = await check(openToAll, ['--url', 'http://provider']);
    expect(stdout).toContain(
      '  - a request with a wrong token is answered 401 (skipped: no token was given)\n',
    );
    expect(code).toBe(0);
  });
});

/** Runs against a provider that says only this, which is not followed any further. */
const sayingOf = (body: string) =>
  check(
    speaking(() => async () => ({ status: 301, headers: {}, body })),
    usual,
  );

describe('what is shown of an answer', () => {
  test.each([
    ['what would move the cursor or change colours', '\u001b[2J{\u0000', '301 \ufffd[2J{\ufffd'],
    ['a byte order mark', '\ufeff{}', '301 \ufffd{}'],
    ['several lines', '<p>\r\n\tno\r\n', '301 <p> no'],
  ])('is plain text, also where it holds %s', async (_, body, shown) => {
    expect((await sayingOf(body)).stdout).toContain(`answered: /v1/exists: ${shown}\n`);
  });
});

test('what should have been refused is not said to be expected', async () => {
  const inHtml = speaking((app) => async (request) => {
    const answer = await app(request);
    return answer.status === 422 ? { ...answer, headers: { 'content-type': 'text/html' } } : answer;
  });
  const { results } = await outcomesOf(inHtml);
  expect(results.find(({ outcome }) => outcome === 'failed')).toMatchObject({
    check: 'an impossible configuration is refused with InvalidConfiguration',
    expected: '422 {"error": {"reason": "InvalidConfiguration", "message": "…"}}, to create',
  });
});

test('a server that never goes is waited for once, and shortly by the checks that follow', async () => {
  const stuck = behaving(() => ({ delete: async () => ({ kind: 'accepted' }) }));
  const { results } = await outcomesOf(stuck, ['--api', 'openshift']);
  const expected = results.filter(({ outcome }) => outcome === 'failed').map((result) => result['expected']);
  expect(expected).toEqual([
    'exists to be false within 600 s of the delete',
    'exists to be false within 30 s of the delete',
    '200 {"exists": false}',
    'exists to be false within 30 s of the delete',
    'no server to be left',
  ]);
});
