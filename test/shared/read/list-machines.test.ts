import { describe, expect, test } from 'vitest';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { listAll, type Read } from '../../../shared/read/list-machines.ts';
import { aRawMachine } from '../../builders/cluster-api.ts';
import { aWorld, type World } from '../../builders/world.ts';

/** A Machine in each of three namespaces. Phaseout looks after two of them. */
function aWorldOfNamespaces(): World {
  const world = aWorld(aRawMachine({ metadata: { namespace: 'a', name: 'of-a', uid: 'uid-a' } }), {
    namespaces: ['a', 'b'],
  });
  for (const name of ['cp-1', 'cp-2', 'cp-3']) world.management.drop(`machines/default/${name}`);
  for (const namespace of ['b', 'c']) {
    const metadata = { namespace, name: `of-${namespace}`, uid: `uid-${namespace}` };
    world.management.put('machines', aRawMachine({ metadata }));
  }
  return world;
}

function forbid({ management }: World, ...forbidden: string[]): void {
  const list = management.list.bind(management);
  management.list = async (resource, selection) => {
    const namespace = selection?.namespace ?? '';
    if (forbidden.includes(namespace)) throw new Unavailable(`namespace ${namespace} is forbidden`);
    return list(resource, selection);
  };
}

const unheld = ({ raw }: Read): string => raw.metadata.name;

const namesIn = async ({ env }: World) => {
  const { found, isWhole } = await listAll(env, unheld);
  return { names: found.map(({ raw }) => raw.metadata.name), isWhole };
};

describe('the Machines of given namespaces', () => {
  test('are listed, and those of no other', async () => {
    expect(await namesIn(aWorldOfNamespaces())).toEqual({ names: ['of-a', 'of-b'], isWhole: true });
  });

  test('are listed where one of the namespaces cannot be, and these are not all', async () => {
    const world = aWorldOfNamespaces();
    forbid(world, 'a');
    expect(await namesIn(world)).toEqual({ names: ['of-b'], isWhole: false });
    expect(world.said).toEqual(['Machines could not be listed']);
  });

  test('are not taken for none where none of the namespaces can be listed', async () => {
    const world = aWorldOfNamespaces();
    forbid(world, 'a', 'b');
    await expect(listAll(world.env, unheld)).rejects.toThrow('namespace a is forbidden');
  });
});

test('Machines that live and lack nothing are not held: a fleet has many of them', async () => {
  const world = aWorld();
  const living = (name: string, finalizers: string[]): void => {
    const machine = aRawMachine({ metadata: { name, uid: name, finalizers } });
    delete machine.metadata.deletionTimestamp;
    world.management.put('machines', machine);
  };
  for (const name of ['cp-1', 'cp-2', 'cp-3']) world.management.drop(`machines/default/${name}`);
  living('whole', ['machine.cluster.x-k8s.io']);
  living('new', ['fleet.example/billing']);
  const { names } = await namesIn(world);
  expect(names.toSorted()).toEqual(['m-1', 'new']);
});

/** What an API that serves these versions, the first of them by preference, is asked. */
async function askedOf(...served: string[]): Promise<string[]> {
  const world = aWorld();
  const asked: string[] = [];
  const { management } = world;
  const list = management.list.bind(management);
  management.discover = async (group, kind, version = served[0] ?? '') => {
    asked.push(`${kind} ${version}`);
    return served.includes(version) ? { group, version, plural: 'machines' } : undefined;
  };
  management.list = (resource, selection) => {
    asked.push(`list ${resource.version}`);
    return list(resource, selection);
  };
  await listAll(world.env, unheld);
  return asked;
}

describe('the version that is asked for', () => {
  test.each<[string, string[], string[]]>([
    ['is the one that the API prefers', ['v1beta1', 'v1beta2'], ['Machine v1beta1', 'list v1beta1']],
    [
      'is the newest one that is known here where the API prefers one that is not',
      ['v1beta9', 'v1beta2', 'v1beta1'],
      ['Machine v1beta9', 'Machine v1beta2', 'list v1beta2'],
    ],
    ['is none where none is known', ['v1beta9'], ['Machine v1beta9', 'Machine v1beta2', 'Machine v1beta1']],
  ])('%s', async (_what, served, asked) => {
    expect(await askedOf(...served)).toEqual(asked);
  });
});

test('a mistake of ours does not pass for Machines that could not be listed', async () => {
  const world = aWorld();
  world.env.dialects = [{ ...world.env.dialects[0]!, group: 'machine.example.com' }, world.env.dialects[0]!];
  world.management.on('list machines', () => {
    throw new TypeError('undefined is not a function');
  });
  await expect(listAll(world.env, unheld)).rejects.toThrow(TypeError);
});

test('a list that is read anew from its start tells of each Machine once', async () => {
  const world = aWorld();
  const list = world.management.list.bind(world.management);
  for (let number = 0; number < 600; number += 1) {
    const metadata = { name: `m-${number}`, uid: `uid-${number}` };
    world.management.put('machines', aRawMachine({ metadata }));
  }
  world.management.list = async (resource, selection, hold) => {
    await list(resource, selection, hold);
    return list(resource, selection, hold);
  };
  const { found, glimpsed } = await listAll(world.env, unheld);
  const names = [...found.map(unheld), ...glimpsed];
  expect(names).toHaveLength(600);
  expect(new Set(names).size).toBe(600);
});
