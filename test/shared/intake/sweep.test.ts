import { describe, expect, test } from 'vitest';
import { sweep } from '../../../functions/sweep.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { MachineRef } from '../../../shared/machine/machine.ts';
import { aCheckpoint, after, aRawMachine } from '../../builders/cluster-api.ts';
import { aCommand, atCheckpoint, aWorld, machinePath, type World } from '../../builders/world.ts';

const ref = (name: string): MachineRef => ({ ...aCommand().machine, name, uid: `uid-${name}` });
const named = (name: string, annotations = {}) =>
  aRawMachine({ metadata: { name, uid: `uid-${name}` }, annotations });

/** Machines a, b and c are being deleted and due. */
async function areDue(names: readonly string[]): Promise<World> {
  const world = aWorld();
  world.management.drop(machinePath);
  for (const name of names) {
    world.management.put('machines', named(name));
    await world.env.store.schedule({ machine: ref(name), at: after(5), failures: 0 });
  }
  world.log.length = 0;
  return world;
}
const threeAreDue = (): Promise<World> => areDue(['a', 'b', 'c']);
const swept = async (world: World, which: 'due' | 'all') =>
  (await sweep(world.env, which)).map(({ machine }) => machine.name).toSorted();

/** `b` lives, without any finalizer. */
function putUnheld({ management }: World): void {
  const living = aRawMachine({ metadata: { name: 'b', uid: 'uid-b', finalizers: [] } });
  delete living.metadata.deletionTimestamp;
  management.put('machines', living);
}

const mistaken = (): never => {
  throw new TypeError('undefined is not a function');
};

describe('what is due', () => {
  test('is looked at where it stands', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(aCheckpoint({ seq: 4, phase: 'node' })) }));
    await world.env.store.schedule({ machine: aCommand().machine, at: after(9), failures: 0 });
    expect(await sweep(world.env, 'due')).toEqual([
      aCommand({ phase: 'node', seq: 4, resourceVersion: '7' }),
    ]);
  });

  test('is not what comes later', async () => {
    const world = aWorld();
    await world.env.store.schedule({ machine: aCommand().machine, at: after(11), failures: 0 });
    expect(await sweep(world.env, 'due')).toEqual([]);
    expect(world.management.reads).toEqual([]);
  });

  test('is set to come again before it is asked for: a crash in between only repeats it', async () => {
    const world = await threeAreDue();
    expect(await swept(world, 'due')).toEqual(['a', 'b', 'c']);
    expect(world.log).toEqual(['schedule', 'schedule', 'schedule']);
    expect(await world.env.store.due(after(29), 10)).toEqual([]);
    expect(await world.env.store.due(after(30), 10)).toHaveLength(3);
  });

  test('is asked for at once, however much it is', async () => {
    const world = await areDue(Array.from({ length: 60 }, (_, index) => `m-${index + 10}`));
    expect(await swept(world, 'due')).toHaveLength(60);
  });

  test('comes again after the time that is configured', async () => {
    const world = aWorld(aRawMachine(), { requeueAfterSeconds: 7 });
    await world.env.store.schedule({ machine: aCommand().machine, at: after(9), failures: 0 });
    await sweep(world.env, 'due');
    expect(await world.env.store.due(after(17), 10)).toMatchObject([{ at: after(17) }]);
  });

  test('is not asked for before a slow store has it that it comes again', async () => {
    const world = await threeAreDue();
    const { store } = world.env;
    let scheduled = 0;
    world.env.store = {
      ...store,
      async schedule(look) {
        await new Promise((resolve) => setImmediate(resolve));
        const isSet = await store.schedule(look);
        scheduled += 1;
        return isSet;
      },
    };
    await swept(world, 'due');
    expect(scheduled).toBe(3);
  });

  test('is what the step that is asked for says after it, though that is later', async () => {
    const world = await threeAreDue();
    await sweep(world.env, 'due');
    await world.env.store.schedule({ machine: ref('a'), at: after(310), failures: 0, isOfDeletion: true });
    const looks = await world.env.store.due(after(310), 10);
    expect(looks.map(({ machine, at }) => [machine.name, at])).toEqual([
      ['b', after(30)],
      ['c', after(30)],
      ['a', after(310)],
    ]);
  });

  test('of a Machine that is gone, or whose name was taken again, is forgotten', async () => {
    const world = await threeAreDue();
    world.management.drop('machines/default/a');
    world.management.put('machines', aRawMachine({ metadata: { name: 'b', uid: 'uid-other' } }));
    expect(await swept(world, 'due')).toEqual(['c']);
    expect((await world.env.store.due(after(60), 10)).map(({ machine }) => machine.name)).toEqual(['c']);
  });
});

describe('where only some namespaces are ours', () => {
  test('a look in another one is forgotten, and nothing there is read', async () => {
    const world = await threeAreDue();
    world.env.settings = { ...world.env.settings, namespaces: ['other'] };
    expect(await swept(world, 'due')).toEqual([]);
    expect(world.management.reads).toEqual([]);
    expect(await world.env.store.due(after(60), 10)).toEqual([]);
  });

  test('Machines are listed in these alone', async () => {
    const world = await threeAreDue();
    world.env.settings = { ...world.env.settings, namespaces: ['other', 'default'] };
    world.management.put(
      'machines',
      aRawMachine({ metadata: { namespace: 'third', name: 'd', uid: 'uid-d' } }),
    );
    world.management.put(
      'machines',
      aRawMachine({ metadata: { namespace: 'other', name: 'e', uid: 'uid-e' } }),
    );
    expect(await swept(world, 'all')).toEqual(['a', 'b', 'c', 'e']);
    expect(world.management.reads.filter((read) => read.startsWith('list machines'))).toHaveLength(2);
  });
});

test('a look that another instance has scheduled while its Machine was being read is not forgotten', async () => {
  const world = await threeAreDue();
  const { store } = world.env;
  world.management.on('get machines/default/a', () => {
    world.management.change('machines/default/a', { metadata: { finalizers: ['example.com/other'] } });
    void store.schedule({ machine: ref('a'), at: after(40), failures: 0 });
  });
  expect(await swept(world, 'due')).toEqual(['b', 'c']);
  const due = await store.due(after(60), 10);
  expect(due.find(({ machine }) => machine.name === 'a')?.at).toBe(after(40));
});

test('what is not taken within 20 seconds stays due: the answer of a longer sweep would be lost', async () => {
  const world = await threeAreDue();
  world.management.on('get machines/default/a', () => void (world.time.now += 20_000));
  expect(await swept(world, 'due')).toEqual(['a']);
  expect(await swept(world, 'due')).toEqual(['b', 'c']);
});

test('what is not answered within 20 seconds is not waited for', async () => {
  const world = await threeAreDue();
  const { management } = world.env;
  const get = management.get.bind(management);
  management.get = (resource, key) =>
    key.name === 'b' ? new Promise<never>(() => undefined) : get(resource, key);
  const limits: number[] = [];
  world.env.clock = {
    ...world.env.clock,
    after(milliseconds, run) {
      limits.push(milliseconds);
      setImmediate(run);
      return () => undefined;
    },
  };
  expect(await swept(world, 'due')).toEqual(['a', 'c']);
  expect(limits).toEqual([20_000]);
  expect((await world.env.store.due(after(10), 10)).map(({ machine }) => machine.name)).toEqual(['b']);
});

test('what is due of a Machine that our finalizer was taken off is forgotten', async () => {
  const world = await threeAreDue();
  world.management.change('machines/default/a', { metadata: { finalizers: ['example.com/other'] } });
  expect(await swept(world, 'due')).toEqual(['b', 'c']);
  expect(await world.env.store.due(after(60), 10)).toHaveLength(2);
});

test.each(['due', 'all'] as const)('what took long to read is known to be old by then: %s', async (which) => {
  const world = await threeAreDue();
  for (const call of ['list machines', 'get machines/default/a'])
    world.management.on(call, () => void (world.time.now += 8_000));
  await sweep(world.env, which);
  expect(world.env.cache.machine('uid-a')?.age()).toBe(8_000);
});

describe('of more than 500 that are being deleted', () => {
  const numbers = Array.from({ length: 502 }, (_, number) => 100 + number);
  const crowd = (): World => {
    const world = aWorld();
    world.management.drop(machinePath);
    for (const number of numbers) {
      const metadata = { name: `m-${number}`, uid: `uid-m-${number}` };
      const status = { conditions: [{ type: 'Deleting', status: 'True', reason: 'DrainingNode' }] };
      world.management.put('machines', aRawMachine({ metadata, status }));
    }
    return world;
  };

  test.each<[string, (world: World) => void, 'due' | 'all']>([
    ['in the sweep of everything', () => undefined, 'all'],
    ['while the store does not answer', ({ env }) => void (env.store.isAvailable = () => false), 'due'],
  ])('each is asked for, and only these are held meanwhile: %s', async (_when, prepare, which) => {
    const world = crowd();
    prepare(world);
    expect(await swept(world, which)).toEqual(numbers.map((number) => `m-${number}`));
    expect(world.env.cache.machine('uid-m-599')).toBeDefined();
    expect(world.env.cache.machine('uid-m-600')).toBeUndefined();
  });

  test('each is counted by what it shows', async () => {
    const world = crowd();
    const counted: object[] = [];
    world.env.metrics = {
      ...world.env.metrics,
      replace: (metric, readings) => void (metric === 'machinesDeleting' && counted.push(...readings)),
    };
    await sweep(world.env, 'all');
    const labels = { machine_api: 'cluster-api', phase: 'drain', reason: 'DrainingNode' };
    expect(counted).toEqual([{ labels, value: 502 }]);
  });

  test('one that cannot be read, or is not ours, is left out', async () => {
    const world = crowd();
    world.management.change('machines/default/m-600', { spec: { clusterName: 5 } });
    world.management.change('machines/default/m-601', { metadata: { finalizers: ['example.com/other'] } });
    expect(await swept(world, 'all')).toHaveLength(500);
    expect(world.said).toEqual(['Machine could not be swept']);
  });

  test('one that a backup has brought back is looked at again', async () => {
    const world = crowd();
    world.env.cache.rememberGone('uid-m-601');
    world.time.now += 1_000;
    await sweep(world.env, 'all');
    expect(world.env.cache.isGone('uid-m-601')).toBe(false);
  });
});

describe('all that is being deleted', () => {
  test('is found without events and without a store', async () => {
    const world = await threeAreDue();
    expect(await swept(world, 'all')).toEqual(['a', 'b', 'c']);
  });

  test('is due soon where nobody has begun: what is asked for may be lost on the way', async () => {
    const world = aWorld();
    expect(await swept(world, 'all')).toHaveLength(1);
    expect(await world.env.store.due(after(29), 10)).toEqual([]);
    expect(await world.env.store.due(after(30), 10)).toHaveLength(1);
  });

  test('keeps the looks that those who have begun have set', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(aCheckpoint({ seq: 4, phase: 'node' })) }));
    expect(await swept(world, 'all')).toHaveLength(1);
    expect(await world.env.store.due(after(60), 10)).toEqual([]);
  });

  test('is not looked at by others while nothing is', async () => {
    const world = aWorld();
    world.management.drop(machinePath);
    expect(await sweep(world.env, 'all')).toEqual([]);
    expect(world.log).toEqual([]);
  });

  test('leaves out Machines that another watch filter is for', async () => {
    const world = aWorld(aRawMachine(), { watchFilter: 'others' });
    expect(await sweep(world.env, 'all')).toEqual([]);
  });

  test('gives living Machines that no event told of our finalizer', async () => {
    const raw = aRawMachine({ metadata: { finalizers: [] } });
    delete raw.metadata.deletionTimestamp;
    const world = aWorld(raw);
    expect(await sweep(world.env, 'all')).toEqual([]);
    expect(world.management.at(machinePath)?.metadata.finalizers).toEqual(['machine.cluster.x-k8s.io']);
  });

  test('comes before living Machines that take long to get our finalizer, which are not waited for after 20 seconds', async () => {
    const world = await threeAreDue();
    for (const name of ['0', 'd']) {
      const raw = aRawMachine({ metadata: { name, uid: `uid-${name}`, finalizers: [] } });
      delete raw.metadata.deletionTimestamp;
      world.management.put('machines', raw);
    }
    world.management.mergePatch = () => new Promise<never>(() => undefined);
    const limits: number[] = [];
    world.env.clock = {
      ...world.env.clock,
      after(milliseconds, run) {
        limits.push(milliseconds);
        setImmediate(run);
        return () => undefined;
      },
    };
    expect(await swept(world, 'all')).toEqual(['a', 'b', 'c']);
    // Living Machines, and then the looks that are set.
    expect(limits).toEqual([20_000, 10_000]);
  });

  test('is in the answer though a slow store has not set all looks within 10 seconds', async () => {
    const world = await threeAreDue();
    world.env.store = { ...world.env.store, schedule: () => new Promise<never>(() => undefined) };
    const limits: number[] = [];
    world.env.clock = {
      ...world.env.clock,
      after(milliseconds, run) {
        limits.push(milliseconds);
        setImmediate(run);
        return () => undefined;
      },
    };
    expect(await swept(world, 'all')).toEqual(['a', 'b', 'c']);
    expect(limits).toEqual([10_000]);
  });

  test('remembers of a living Machine what it has written of it, not what it had read', async () => {
    const raw = aRawMachine({ metadata: { finalizers: [] } });
    delete raw.metadata.deletionTimestamp;
    const world = aWorld(raw);
    await sweep(world.env, 'all');
    const { resourceVersion } = world.management.at(machinePath)?.metadata ?? {};
    expect(world.env.cache.machine('uid-1')?.raw.metadata.resourceVersion).toBe(resourceVersion);
    expect(world.env.cache.machine('uid-cp-1')).toBeUndefined();
  });

  test('is nothing where Machines are not served', async () => {
    const world = aWorld();
    world.env.dialects = [{ ...world.env.dialects[0]!, group: 'machine.example.com' }];
    expect(await sweep(world.env, 'all')).toEqual([]);
  });

  test.each<[string, string[], string[]]>([
    ['is found by a version that is known where a newer one is preferred', ['v1beta9', 'v1beta1'], ['m-1']],
    ['is nothing where no version is known', ['v1beta9'], []],
  ])('%s', async (_what, versions, names) => {
    const world = aWorld();
    const [preferred = ''] = versions;
    world.management.discover = async (group, _kind, version = preferred) =>
      versions.includes(version) ? { group, version, plural: 'machines' } : undefined;
    expect(await swept(world, 'all')).toEqual(names);
  });

  test('is what is looked at while the store does not answer', async () => {
    const world = await threeAreDue();
    world.env.store = { ...world.env.store, due: async () => [], isAvailable: () => false };
    expect(await swept(world, 'due')).toEqual(['a', 'b', 'c']);
  });

  test('is all that is looked at then: who lives gets our finalizer by the sweep of everything', async () => {
    const raw = aRawMachine({ metadata: { finalizers: [] } });
    delete raw.metadata.deletionTimestamp;
    const world = aWorld(raw);
    world.env.store = { ...world.env.store, due: async () => [], isAvailable: () => false };
    expect(await sweep(world.env, 'due')).toEqual([]);
    expect(world.log).toEqual([]);
  });
});

const noAnswer = (): never => {
  throw new Unavailable('no answer');
};

async function onlyAIsDue(): Promise<World> {
  const world = await threeAreDue();
  for (const name of ['b', 'c']) world.management.drop(`machines/default/${name}`);
  return world;
}

describe('one Machine that is in trouble does not keep the sweep from the others', () => {
  test('because it cannot be read from the API', async () => {
    const world = await threeAreDue();
    world.management.on('get machines/default/b', () => {
      throw new Unavailable('no answer');
    });
    expect(await swept(world, 'due')).toEqual(['a', 'c']);
    expect(world.said).toEqual(['Machine could not be swept']);
    // It stays due, with the failure counted.
    expect(await world.env.store.due(after(10), 10)).toEqual([
      { machine: ref('b'), at: after(10), failures: 1 },
    ]);
  });

  test('because it cannot be read time and again: it comes after all others that are due', async () => {
    const world = await threeAreDue();
    world.management.on(
      'get machines/default/a',
      () => {
        throw new Unavailable('no answer');
      },
      2,
    );
    for (const seconds of [10, 15]) {
      world.time.now = after(seconds);
      await sweep(world.env, 'due');
    }
    await world.env.store.schedule({ machine: ref('d'), at: after(12), failures: 0 });
    const due = await world.env.store.due(after(20), 10);
    expect(due.map(({ machine, failures }) => [machine.name, failures])).toEqual([
      ['d', 0],
      ['a', 2],
    ]);
  });

  test('because it cannot be read: it is due at once for as long as that lasts', async () => {
    const world = await onlyAIsDue();
    world.management.on('get machines/default/a', noAnswer, 200);
    for (let seconds = 10; seconds < 600; seconds += 5) {
      world.time.now = after(seconds);
      await sweep(world.env, 'due');
    }
    expect(await world.env.store.due(after(595), 10)).toMatchObject([{ at: after(595), failures: 118 }]);
  });

  test('because its API is served no longer: after some minutes it is not due any more', async () => {
    const world = await onlyAIsDue();
    world.management.on('get machines/default/a', noAnswer, 200);
    const asked: string[] = [];
    world.management.discover = async (group: string, kind: string, version = 'any') => {
      asked.push(`${group}/${version} ${kind}`);
      return undefined;
    };
    for (let seconds = 10; seconds <= 200; seconds += 5) {
      world.time.now = after(seconds);
      await sweep(world.env, 'due');
    }
    expect(asked).toEqual(['cluster.x-k8s.io/v1beta2 Machine']);
    expect(world.said).toHaveLength(31);
    expect(await world.env.store.due(after(100_000), 10)).toEqual([]);
  });

  test('because nobody can say whether its API is served: it stays due', async () => {
    const world = await onlyAIsDue();
    world.management.on('get machines/default/a', noAnswer, 200);
    world.management.discover = async () => noAnswer();
    for (let seconds = 10; seconds <= 200; seconds += 5) {
      world.time.now = after(seconds);
      await sweep(world.env, 'due');
    }
    expect(await world.env.store.due(after(200), 10)).toHaveLength(1);
  });

  test('because its API is looked after no longer', async () => {
    const world = await threeAreDue();
    const machine = { ...ref('b'), apiVersion: 'cluster.k8s.io/v1alpha1' };
    await world.env.store.schedule({ machine, at: after(5), failures: 0 });
    world.env.dialects = world.env.dialects.filter(({ name }) => name === 'cluster-api');
    expect(await swept(world, 'due')).toEqual(['a', 'c']);
    expect(world.said).toEqual([]);
    const due = await world.env.store.due(after(100), 10);
    expect(due.map(({ machine: { name } }) => name)).toEqual(['a', 'c']);
  });

  test.each(['due', 'all'] as const)('because its fields make no sense: %s', async (which) => {
    const world = await threeAreDue();
    world.management.put('machines', { ...named('b'), spec: { clusterName: 5 } });
    expect(await swept(world, which)).toEqual(['a', 'c']);
    expect(world.said).toEqual(['Machine could not be swept']);
  });

  test('because its fields make no sense: it is due again in a minute', async () => {
    const world = await threeAreDue();
    world.management.put('machines', { ...named('b'), spec: { clusterName: 5 } });
    await sweep(world.env, 'due');
    expect(await world.env.store.due(after(69), 10)).not.toContainEqual(
      expect.objectContaining({ machine: ref('b') }),
    );
    expect(await world.env.store.due(after(70), 10)).toContainEqual({
      machine: ref('b'),
      at: after(70),
      failures: 1,
    });
  });

  test('because its finalizer cannot be written', async () => {
    const world = await threeAreDue();
    putUnheld(world);
    world.management.on('patch machines/default/b', () => ({ kind: 'refused', code: 500, message: 'no' }));
    expect(await swept(world, 'all')).toEqual(['a', 'c']);
  });

  test('because its finalizer is refused: the sweep of everything tries again, and nothing is due', async () => {
    const world = await areDue(['b']);
    putUnheld(world);
    world.management.on('patch machines/default/b', () => ({ kind: 'refused', code: 422, message: 'no' }), 2);
    expect(await swept(world, 'due')).toEqual([]);
    expect(world.said).toEqual(['Machine could not be swept']);
    expect(await world.env.store.due(after(100_000), 10)).toEqual([]);
    await sweep(world.env, 'all');
    expect(world.log.filter((line) => line === 'patch machines/default/b')).toHaveLength(2);
  });

  test('because of a mistake of ours, which is told as one: it is due again in a minute', async () => {
    const world = await threeAreDue();
    world.management.on('get machines/default/b', mistaken);
    expect(await swept(world, 'due')).toEqual(['a', 'c']);
    expect(world.errors).toEqual([
      { Machine: 'default/b', error: new TypeError('undefined is not a function') },
    ]);
    expect(await world.env.store.due(after(100_000), 10)).toContainEqual({
      machine: ref('b'),
      at: after(70),
      failures: 1,
    });
  });

  test('because of a mistake of ours that is about one that lives', async () => {
    const world = await threeAreDue();
    putUnheld(world);
    world.management.on('patch machines/default/b', mistaken);
    expect(await swept(world, 'all')).toEqual(['a', 'c']);
    expect(world.errors).toHaveLength(1);
  });
});

test('a list that cannot be read is thrown: nothing may be concluded from it', async () => {
  const world = aWorld();
  world.management.on('list machines', () => {
    throw new Unavailable('no answer');
  });
  await expect(sweep(world.env, 'all')).rejects.toThrow('no answer');
});

test.each<[string, (world: World) => void]>([
  ['all that is being deleted', () => undefined],
  [
    'what is due while the store does not answer',
    ({ env }) => void (env.store = { ...env.store, due: async () => [], isAvailable: () => false }),
  ],
])('a Machine API that cannot be listed keeps nobody from those of the others: %s', async (what, prepare) => {
  const world = await threeAreDue();
  prepare(world);
  const [dialect] = world.env.dialects;
  world.env.dialects = [{ ...dialect!, name: 'broken', group: 'broken.example' }, dialect!];
  const { management } = world;
  const discover = management.discover.bind(management);
  management.discover = async (group, kind) => {
    if (group === 'broken.example') throw new Unavailable('conversion webhook failed');
    return discover(group, kind);
  };
  expect(await swept(world, what.startsWith('all') ? 'all' : 'due')).toEqual(['a', 'b', 'c']);
  expect(world.said).toEqual(['Machines could not be listed']);
});

test.each<[string, number, boolean]>([
  ['is brought back by a backup of the cluster is looked at again', 1, true],
  ['was read before it went stays gone', 0, false],
])('a Machine that %s', async (_what, seconds, isBack) => {
  const world = await threeAreDue();
  world.env.cache.rememberGone('uid-a');
  world.time.now += seconds * 1_000;
  await sweep(world.env, 'all');
  expect(world.env.cache.isGone('uid-a')).toBe(!isBack);
});

type Told = 'goes' | 'rests' | undefined;

/** What a sweep answers to the tick. */
async function toldBy(prepare: (world: World) => unknown, which: 'due' | 'all' = 'all'): Promise<Told> {
  const world = aWorld();
  world.management.drop(machinePath);
  const tick: { told: Told } = { told: undefined };
  world.env.ticks = {
    start: async () => void (tick.told = 'goes'),
    rest: async () => void (tick.told = 'rests'),
  };
  await prepare(world);
  await sweep(world.env, which);
  return tick.told;
}
const begun = () => aRawMachine({ annotations: atCheckpoint(aCheckpoint({ seq: 2 })) });
const dueAt = (at: number) => (world: World) =>
  world.env.store.schedule({ machine: ref('a'), at, failures: 0 });

describe('the tick that asks for what is due rests', () => {
  test('when all Machines were listed and none is being deleted', async () => {
    expect(await toldBy(() => undefined)).toBe('rests');
  });

  test.each<[string, (world: World) => unknown]>([
    ['while the store does not say what is to come', (world) => (world.env.store.isAvailable = () => false)],
    [
      'where a Machine API could not be listed',
      (world) => {
        const [dialect] = world.env.dialects;
        world.env.dialects = [{ ...dialect!, name: 'broken', group: 'broken.example' }, dialect!];
        const discover = world.management.discover.bind(world.management);
        world.management.discover = async (group, kind) => {
          if (group === 'broken.example') throw new Unavailable('conversion webhook failed');
          return discover(group, kind);
        };
      },
    ],
  ])('but not %s', async (_when, prepare) => {
    expect(await toldBy(prepare)).toBeUndefined();
  });

  test('but goes while a look is still to come, at a Machine that is gone for one, which it is to forget', async () => {
    expect(await toldBy(dueAt(after(3_600)))).toBe('goes');
  });

  test.each<[string, (world: World) => unknown]>([
    ['that has not begun', (world) => world.management.put('machines', named('a'))],
    ['whose requeue was lost', (world) => world.management.put('machines', begun())],
  ])(
    'but goes while a Machine is being deleted %s: it may not have been set going when that began',
    async (_which, prepare) => {
      expect(await toldBy(prepare)).toBe('goes');
    },
  );

  test('but not because nothing is due', async () => {
    expect(await toldBy(() => undefined, 'due')).toBeUndefined();
  });
});
