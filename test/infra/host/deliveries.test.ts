import { describe, expect, test } from 'vitest';
import { deliversOf } from '../../../infra/host/deliveries.ts';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import { Forbidden } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { clockOf } from '../../builders/clock.ts';
import { aCommand } from '../../builders/world.ts';

const { machine } = aCommand();
const resource = { group: 'eventing.knative.dev', version: 'v1', plural: 'triggers' };
const call = 'dev.phaseout.hook.call.v1';
const mine = { type: call, hook: 'fleet/move-data' };

/** A Trigger of the Broker `phaseout`, unless it says otherwise. */
const aTrigger = (spec: object): KubeObject => ({
  metadata: { name: 'any', namespace: 'phaseout' },
  spec: { broker: 'phaseout', ...spec },
});
const byAttributes = (attributes: object, broker = 'phaseout') =>
  aTrigger({ broker, filter: { attributes } });
const ofAnswers = byAttributes({ type: 'dev.phaseout.hook.answer.v1' });

/** Over these Triggers, with a clock that can be moved. */
function over(
  list: () => readonly KubeObject[],
  isServed = true,
  namespace: string | undefined = 'phaseout',
) {
  let passed = 0;
  const lists: unknown[] = [];
  const management: Pick<Kubernetes, 'list' | 'discover'> = {
    discover: async () => (isServed ? resource : undefined),
    async list(_resource, selection) {
      lists.push(selection);
      return { items: [...list()], resourceVersion: '1' };
    },
  };
  const clock = clockOf(
    () => 1_767_261_600_000,
    () => passed,
  );
  const delivers = deliversOf({ management, clock, namespace });
  return {
    lists,
    ask: () => delivers({ namespace: 'fleet', name: 'move-data' }, machine),
    pass: (seconds: number) => (passed += seconds * 1_000),
  };
}

describe('a Trigger brings the calls', () => {
  test.each<[what: string, triggers: KubeObject[], expected: boolean]>([
    ['where it asks for the DeletionHook', [byAttributes(mine)], true],
    ['where it asks for all calls', [byAttributes({ type: call })], true],
    ['where it asks for everything', [aTrigger({})], true],
    ['by its filters', [aTrigger({ filters: [{ exact: { hook: 'fleet/move-data' } }] })], true],
    ['by an expression', [aTrigger({ filters: [{ cesql: "hook LIKE 'fleet/%'" }] })], true],
    ['where nobody can say what it asks for', [aTrigger({ filters: [{ newer: {} }] })], true],
    ['of the Broker that carries the answers', [ofAnswers, byAttributes(mine)], true],
    ['not where there is none', [], false],
    ['not for another DeletionHook', [byAttributes({ ...mine, hook: 'fleet/wipe' })], false],
    ['not for another type', [byAttributes({ ...mine, type: 'dev.phaseout.hook.ended.v1' })], false],
    [
      'not where filters say otherwise',
      [aTrigger({ filter: { attributes: mine }, filters: [{ prefix: { hook: 'other/' } }] })],
      false,
    ],
    ['not of another Broker', [ofAnswers, byAttributes(mine, 'default')], false],
  ])('%s', async (_what, triggers, expected) => {
    expect(await over(() => triggers).ask()).toBe(expected);
  });
});

describe('nothing is concluded', () => {
  test('without the right to list Triggers, and it is not asked for again within a minute', async () => {
    const { ask, lists, pass } = over(() => {
      throw new Forbidden('triggers is forbidden');
    });
    expect([await ask(), await ask()]).toEqual([undefined, undefined]);
    expect(lists).toHaveLength(1);
    pass(61);
    await ask();
    expect(lists).toHaveLength(2);
  });

  test('where Triggers are not served', async () => {
    const { ask, lists } = over(() => [], false);
    expect([await ask(), lists]).toEqual([undefined, []]);
  });

  test("where nothing says which namespace is phaseout's", async () => {
    expect(
      await deliversOf({
        management: {
          discover: async () => resource,
          list: async () => ({ items: [], resourceVersion: '' }),
        },
        clock: clockOf(() => 0),
        namespace: undefined,
      })({ namespace: 'fleet', name: 'move-data' }, machine),
    ).toBeUndefined();
  });
});

test('one list of the namespace serves all that ask within a minute', async () => {
  const { ask, lists, pass } = over(() => [byAttributes(mine)]);
  await Promise.all([ask(), ask()]);
  pass(59);
  await ask();
  expect(lists).toEqual([{ namespace: 'phaseout' }]);
  pass(2);
  await ask();
  expect(lists).toHaveLength(2);
});
