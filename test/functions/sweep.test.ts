import { expect, test } from 'vitest';
import { sweep } from '../../functions/sweep.ts';
import { aRawMachine } from '../builders/cluster-api.ts';
import { countedMetrics } from '../builders/observed.ts';
import { aWorld } from '../builders/world.ts';

test.each<[which: 'due' | 'all', told: string[]]>([
  ['due', []],
  ['all', ['m-1']],
])('a sweep of what is %s asks again for that alone', async (which, told) => {
  const { env } = aWorld();
  const commands = await sweep(env, which);
  expect(commands.map(({ machine }) => machine.name)).toEqual(told);
});

test.each(['due', 'all'] as const)('a sweep of what is %s is counted as such', async (which) => {
  const { env } = aWorld();
  const { metrics, counted } = countedMetrics();
  await sweep({ ...env, metrics }, which);
  expect(counted).toContain(`sweeps sweep=${which} outcome=done`);
});

test.each<[room: number, names: string[]]>([
  [0, ['asked']],
  [1, ['asked', 'waiting-1']],
  [9, ['asked', 'waiting-1', 'waiting-2']],
])('with room for %i what steps have asked for comes first, and the rest stays due', async (room, names) => {
  const { env, management } = aWorld();
  env.loadLimit = {
    run: (_turn, work) => work(),
    later: () => undefined,
    room: () => room,
    arrive: (work) => work(),
  };
  const looks = { 'waiting-1': true, 'waiting-2': true, asked: false };
  for (const [name, isProvisional] of Object.entries(looks)) {
    const raw = aRawMachine({ metadata: { name, uid: `uid-${name}` } });
    management.put('machines', raw);
    const machine = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      namespace: 'default',
      name,
      uid: `uid-${name}`,
    };
    const at = env.clock.now() - (isProvisional ? 5_000 : 1_000);
    await env.store.schedule({
      machine,
      at,
      failures: 0,
      isOfDeletion: true,
      ...(isProvisional && { isProvisional }),
    });
  }
  const commands = await sweep(env, 'due');
  expect(commands.map(({ machine }) => machine.name).toSorted()).toEqual(names);
});

test.each<[what: string, isProvisional: boolean, reads: string[]]>([
  ['waits for its turn is not read for that', true, []],
  ['a step has asked for is read', false, ['get machines/default/m-1']],
])('a deletion that was seen here and that %s', async (_what, isProvisional, reads) => {
  const { env, management } = aWorld();
  const raw = management.at('machines/default/m-1');
  if (raw === undefined) throw new Error('the world has no Machine');
  env.cache.rememberMachine(raw);
  const machine = { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'default', name: 'm-1', uid: 'uid-1' };
  const at = env.clock.now() - 1_000;
  await env.store.schedule({
    machine,
    at,
    failures: 0,
    isOfDeletion: true,
    ...(isProvisional && { isProvisional }),
  });
  expect(await sweep(env, 'due')).toMatchObject([{ machine }]);
  expect(management.reads).toEqual(reads);
});
