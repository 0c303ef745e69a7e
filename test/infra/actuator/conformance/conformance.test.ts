import { describe, expect, test } from 'vitest';
import { createProviderApp } from '../../../../infra/local/provider/app.ts';
import type { ActuatorTarget } from '../../../../shared/actuator/port.ts';
import { check, outcomesOf } from './check.ts';
import { behaving, newCloud, type Provider, reference } from './providers.ts';
import { wrongProviders } from './wrong-providers.ts';

describe('the reference provider', () => {
  test('keeps to the contract in every check', async () => {
    expect(await outcomesOf(reference)).toMatchObject({
      code: 0,
      failed: [],
      noted: [],
      skipped: [],
      numbers: { conforms: true, passed: 49, failed: 0, skipped: 0 },
    });
  });

  test.each([
    ['openshift', 30],
    ['v1alpha1', 31],
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

const openToAll: Provider = (clock) => createProviderApp({ cloud: newCloud(clock) });

describe('a provider of another kind keeps to the contract that', () => {
  test.each<[string, Provider, string[]]>([
    ['puts everything off once', puttingOff, []],
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
      'sees a new server only after a while',
      behaving((cloud, clock) => {
        const seenFrom = new Map<unknown, number>();
        return {
          create: (target) => {
            const { uid } = target.machine.metadata;
            seenFrom.set(uid, seenFrom.get(uid) ?? clock.now() + 5_000);
            return cloud.create(target);
          },
          exists: async (target) =>
            clock.now() < (seenFrom.get(target.machine.metadata.uid) ?? 0)
              ? { kind: 'absent' }
              : cloud.exists(target),
        };
      }),
      ['create makes a server, and it exists'],
    ],
  ])('%s', async (_, provider, notes) => {
    const { code, failed, noted } = await outcomesOf(provider);
    expect(failed).toEqual([]);
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
    expect(skipped).toHaveLength(14);
    expect(results).toContainEqual({
      section: 'cluster.k8s.io/v1alpha1',
      check: 'create makes a server, and it exists',
      outcome: 'skipped',
      why: 'the provider refuses our example (give yours with --machine): only OpenShift here',
    });
    expect(await outcomesOf(provider, ['--api', 'v1alpha1'])).toMatchObject({ code: 1 });
  });

  test('asks for no token', async () => {
    const { code, stdout } = await check(openToAll, ['--url', 'http://provider']);
    expect(stdout).toContain(
      '  - a request with a wrong token is answered 401 (skipped: no token was given)\n',
    );
    expect(code).toBe(0);
  });
});
